package jdiff.cli.doctor;

import java.util.List;

/** Looks at one subject and says what it found; never throws for a machine that is merely odd. */
@FunctionalInterface
public interface Check {
    List<Finding> run(Machine machine);
}

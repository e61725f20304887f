package jdiff.launcher;

import java.util.ArrayList;
import java.util.List;

/** Everything that will be started, as data; the processes of an attempt follow from it and what is known only at run time. */
public record LaunchPlan(JobSpec spec) {
    /** One process per rank of this node, by local rank. */
    public List<ProcessSpec> processes(Bindings bindings) {
        List<ProcessSpec> processes = new ArrayList<>();
        for (int localRank = 0; localRank < spec.ranks().perNode(); localRank++) {
            processes.add(process(bindings, localRank));
        }
        return processes;
    }

    private ProcessSpec process(Bindings bindings, int localRank) {
        boolean java = spec.program() instanceof Program.Java;
        WorkerEnvironment environment = WorkerEnvironment.of(spec, bindings, localRank);
        return new ProcessSpec(
                localRank,
                localRank,
                spec.host().name(),
                spec.ranks().deviceOf(localRank, spec.host()),
                java,
                command(bindings, localRank),
                environment.variables(),
                environment.withheld(),
                bindings.rankDirectory(localRank) + "/error.json");
    }

    private List<String> command(Bindings bindings, int localRank) {
        if (spec.program() instanceof Program.Java program) {
            return JavaCommand.of(spec, program, bindings, localRank);
        }
        return ((Program.Executable) spec.program()).command();
    }
}

package jdiff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import jdiff.launcher.Cause;
import jdiff.runtime.fault.Fault;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Launcher and runtime do not know each other; what they agree on is held equal here. */
class ContractTest {
    @ParameterizedTest
    @EnumSource(Fault.class)
    void every_fault_of_the_runtime_is_a_cause_of_the_launcher_with_the_same_word_and_code(Fault fault) {
        Cause cause = Cause.valueOf(fault.name());
        assertThat(cause.word()).isEqualTo(fault.word());
        assertThat(cause.exitCode()).isEqualTo(fault.exitCode());
    }
}

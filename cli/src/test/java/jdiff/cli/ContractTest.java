package jdiff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import jdiff.launcher.Bindings;
import jdiff.launcher.Cause;
import jdiff.launcher.JobSpec;
import jdiff.launcher.Launcher;
import jdiff.launcher.Output;
import jdiff.launcher.Policy;
import jdiff.launcher.Program;
import jdiff.launcher.Ranks;
import jdiff.launcher.host.Host;
import jdiff.launcher.log.Redirects;
import jdiff.runtime.distributed.WorkerEnvironment;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.junit.jupiter.api.Test;
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

    @Test
    void the_environment_that_the_launcher_gives_is_what_the_runtime_reads() throws FaultException {
        var program = new Program.Executable(List.of("x"));
        var spec = new JobSpec(
                program,
                new Ranks(3, "job-7", "default", "cpu", false),
                "127.0.0.1",
                0,
                new Output(null, Redirects.NONE, Redirects.NONE, null, 0, null, "plain"),
                new Policy(Duration.ofSeconds(25), Duration.ofMillis(100), List.of("TERM"), 0, false),
                new Host("here", 6, List.of(), true, true, Map.of()),
                List.of(),
                List.of());
        var bindings = new Bindings("29555", "/run", "", "", "1", "id", 4);
        var environment = WorkerEnvironment.parse(
                Launcher.plan(spec).processes(bindings).get(2).environment());
        assertThat(environment.launched()).isTrue();
        assertThat(environment.rank()).isEqualTo(2);
        assertThat(environment.localRank()).isEqualTo(2);
        assertThat(environment.worldSize()).isEqualTo(3);
        assertThat(environment.localWorldSize()).isEqualTo(3);
        assertThat(environment.groupRank()).isZero();
        assertThat(environment.masterAddress()).isEqualTo("127.0.0.1");
        assertThat(environment.masterPort()).isEqualTo(29555);
        assertThat(environment.runId()).isEqualTo("job-7");
        assertThat(environment.agentStore()).isTrue();
        assertThat(environment.attempt()).isEqualTo(4);
        assertThat(environment.device()).hasToString("CPU");
        assertThat(environment.interfaces()).isEqualTo("lo");
        assertThat(environment.threads()).isEqualTo(2);
    }
}

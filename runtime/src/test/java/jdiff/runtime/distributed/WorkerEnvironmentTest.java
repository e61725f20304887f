package jdiff.runtime.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerEnvironmentTest {
    private static final Map<String, String> COMPLETE = Map.of(
            "RANK", "3",
            "LOCAL_RANK", "1",
            "WORLD_SIZE", "4",
            "LOCAL_WORLD_SIZE", "2",
            "GROUP_RANK", "1",
            "MASTER_ADDR", "10.0.0.1",
            "MASTER_PORT", "29500",
            "TORCHELASTIC_RUN_ID", "job",
            "TORCHELASTIC_USE_AGENT_STORE", "True",
            "TORCHELASTIC_RESTART_COUNT", "2");

    @Test
    void an_empty_environment_is_a_single_process() throws FaultException {
        WorkerEnvironment environment = WorkerEnvironment.parse(Map.of());
        assertThat(environment.launched()).isFalse();
        assertThat(environment.rank()).isZero();
        assertThat(environment.worldSize()).isEqualTo(1);
        assertThat(environment.device()).isEqualTo(WorkerEnvironment.DeviceChoice.AUTO);
    }

    @Test
    void left_over_variables_without_a_run_id_do_not_make_a_rank() throws FaultException {
        Map<String, String> leftOver = new HashMap<>(COMPLETE);
        leftOver.remove("TORCHELASTIC_RUN_ID");
        assertThat(WorkerEnvironment.parse(leftOver).worldSize()).isEqualTo(1);
    }

    @Test
    void all_of_torchruns_variables_make_a_rank() throws FaultException {
        WorkerEnvironment environment = WorkerEnvironment.parse(COMPLETE);
        assertThat(environment.launched()).isTrue();
        assertThat(environment.rank()).isEqualTo(3);
        assertThat(environment.localRank()).isEqualTo(1);
        assertThat(environment.worldSize()).isEqualTo(4);
        assertThat(environment.localWorldSize()).isEqualTo(2);
        assertThat(environment.groupRank()).isEqualTo(1);
        assertThat(environment.masterAddress()).isEqualTo("10.0.0.1");
        assertThat(environment.masterPort()).isEqualTo(29500);
        assertThat(environment.agentStore()).isTrue();
        assertThat(environment.attempt()).isEqualTo(2);
    }

    @Test
    void a_run_id_with_only_some_of_the_others_is_refused_naming_what_is_missing() {
        assertThatExceptionOfType(FaultException.class)
                .isThrownBy(() -> WorkerEnvironment.parse(
                        Map.of("TORCHELASTIC_RUN_ID", "job", "RANK", "0", "WORLD_SIZE", "2", "LOCAL_RANK", "0")))
                .withMessageContaining("MASTER_ADDR, MASTER_PORT are missing")
                .satisfies(e -> assertThat(e.fault()).isEqualTo(Fault.CONFIG));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "RANK; x; environment variable RANK must be an integer of at least 0, got x",
                "RANK; 4; environment variable RANK must be less than WORLD_SIZE (4), got 4",
                "RANK; -1; environment variable RANK must be an integer of at least 0, got -1",
                "WORLD_SIZE; 0; environment variable WORLD_SIZE must be an integer of at least 1, got 0",
                "LOCAL_RANK; 2; environment variable LOCAL_RANK must be less than LOCAL_WORLD_SIZE (2), got 2",
                "MASTER_PORT; 65536; environment variable MASTER_PORT must be an integer from 1 to 65535, got 65536",
                "MASTER_PORT; 1e4; environment variable MASTER_PORT must be an integer from 1 to 65535, got 1e4",
                "TORCHELASTIC_USE_AGENT_STORE; maybe; environment variable TORCHELASTIC_USE_AGENT_STORE must be True or False, got maybe",
                "JDIFF_DEVICE; tpu; environment variable JDIFF_DEVICE must be auto, cuda or cpu, got tpu",
                "JDIFF_COLLECTIVE_TIMEOUT; soon; environment variable JDIFF_COLLECTIVE_TIMEOUT must be auto or a number of seconds, 0 for no limit, got soon",
                "OMP_NUM_THREADS; 0; environment variable OMP_NUM_THREADS must be an integer from 1 to 65536, got 0"
            })
    void nonsense_is_refused_with_name_value_and_what_is_allowed(String name, String value, String message) {
        Map<String, String> variables = new HashMap<>(COMPLETE);
        variables.put(name, value);
        assertThatExceptionOfType(FaultException.class)
                .isThrownBy(() -> WorkerEnvironment.parse(variables))
                .withMessage(message);
    }

    @ParameterizedTest
    @CsvSource({"auto, 600000", "90, 90000", "1.5s, 1500", "0, 0"})
    void the_collective_timeout_is_seconds_or_automatic(String text, long millis) throws FaultException {
        WorkerEnvironment environment = WorkerEnvironment.parse(Map.of("JDIFF_COLLECTIVE_TIMEOUT", text));
        assertThat(environment.collectiveTimeout()).isEqualTo(Duration.ofMillis(millis));
        assertThat(environment.groupTimeout()).isGreaterThan(environment.collectiveTimeout());
    }

    @Test
    void threads_are_openmps_first_number() throws FaultException {
        assertThat(WorkerEnvironment.parse(Map.of("OMP_NUM_THREADS", "3,2")).threads())
                .isEqualTo(3);
    }
}

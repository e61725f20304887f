package jdiff.runtime.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashMap;
import java.util.Map;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.tensor.Device;
import org.junit.jupiter.api.Test;

class DeviceSelectionTest {
    @Test
    void automatic_is_the_cpu_where_there_is_no_gpu_and_the_local_rank_where_there_are_some() throws FaultException {
        assertThat(select("auto", 1, 0)).isEqualTo(Device.CPU);
        assertThat(select("auto", 1, 4)).isEqualTo(Device.cuda(1));
        assertThat(select("cpu", 1, 4)).isEqualTo(Device.CPU);
    }

    @Test
    void the_only_visible_device_is_everybodys() throws FaultException {
        assertThat(select("cuda", 1, 1)).isEqualTo(Device.cuda(0));
    }

    @Test
    void a_device_that_does_not_exist_is_refused_with_both_numbers() {
        assertThatExceptionOfType(FaultException.class)
                .isThrownBy(() -> select("cuda", 2, 2))
                .withMessageMatching("3 ranks on \\S+ but 2 CUDA devices visible \\(CUDA_VISIBLE_DEVICES=0,1\\); .*")
                .satisfies(e -> assertThat(e.fault()).isEqualTo(Fault.DEVICE));
    }

    @Test
    void cuda_without_a_gpu_says_where_to_look() {
        assertThatExceptionOfType(FaultException.class)
                .isThrownBy(() -> select("cuda", 0, 0))
                .withMessageContaining("jdiff doctor");
    }

    private static Device select(String choice, int localRank, int devices) throws FaultException {
        Map<String, String> variables = new HashMap<>(Map.of(
                "RANK", Integer.toString(localRank),
                "LOCAL_RANK", Integer.toString(localRank),
                "WORLD_SIZE", "3",
                "MASTER_ADDR", "127.0.0.1",
                "MASTER_PORT", "1",
                "TORCHELASTIC_RUN_ID", "job",
                "JDIFF_DEVICE", choice,
                "CUDA_VISIBLE_DEVICES", "0,1"));
        return DeviceSelection.select(WorkerEnvironment.parse(variables), variables, () -> devices);
    }
}

package jdiff.runtime.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import jdiff.runtime.tensor.Device;
import org.junit.jupiter.api.Test;

/** Here the check runs on Gloo; on a machine with a GPU {@code scripts/gpu-check} runs it on NCCL. */
class TransportCheckTest {
    @Test
    void every_collective_works_in_a_real_group_of_one_rank() throws Exception {
        assertThat(TransportCheck.run(Device.CPU)).isEmpty();
    }

    @Test
    void a_build_without_cuda_counts_no_devices() {
        assertThat(CudaRuntime.isCudaBuild()).isFalse();
        assertThat(CudaRuntime.deviceCount()).isZero();
        assertThat(CudaRuntime.devices()).isEmpty();
    }

    @Test
    void libtorch_says_what_it_is() {
        LibtorchInfo info = LibtorchInfo.load();
        assertThat(info.version()).startsWith("2.");
        assertThat(info.blas()).isEqualTo("open");
        assertThat(info.cudaBuild()).isFalse();
    }
}

package jdiff.runtime.model.qwenimage;

import static org.assertj.core.api.Assertions.assertThat;

import jdiff.runtime.nn.Rope;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** The device of tensors without memory is a second one that every machine has: what was forgotten would stay on the CPU. */
class BlockInputsTest {
    private static Tensor ones(DType dtype, long... shape) {
        return Tensor.full(1, dtype, Device.CPU, shape);
    }

    @Test
    void all_that_a_block_reads_moves_together() {
        Rope rope = Rope.of(ones(DType.F32, 5, 3), new int[] {4, 6, 6}, 10_000);
        BlockInputs inputs = new BlockInputs(ones(DType.F32, 2, 8), rope, ones(DType.BOOL, 2, 5)).to(Device.META);
        assertThat(inputs.activation().device()).isEqualTo(Device.META);
        assertThat(inputs.rope().rotation().device()).isEqualTo(Device.META);
        assertThat(inputs.rope().rotation().shape()).isEqualTo(rope.rotation().shape());
        assertThat(inputs.keyMask())
                .isNotNull()
                .extracting(Tensor::device, Tensor::dtype)
                .containsExactly(Device.META, DType.BOOL);
        assertThat(new BlockInputs(ones(DType.F32, 2, 8), rope, null)
                        .to(Device.META)
                        .keyMask())
                .isNull();
    }

    @Test
    void both_streams_move_together() {
        Streams streams = new Streams(ones(DType.BF16, 1, 2, 8), ones(DType.BF16, 1, 3, 8)).to(Device.META);
        assertThat(streams.txt().device()).isEqualTo(Device.META);
        assertThat(streams.img().device()).isEqualTo(Device.META);
        assertThat(streams.img().dtype()).isEqualTo(DType.BF16);
    }
}

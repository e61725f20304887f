package jdiff.runtime.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class TensorBufferTest {
    @Test
    void a_buffer_begins_at_its_offset() {
        Scope.tidy(() -> {
            Tensor x = Tensor.of(new long[] {1, 2, 3, 4}, 4);
            ByteBuffer window = x.buffer(16, 8);
            assertThat(window.capacity()).isEqualTo(8);
            assertThat(window.getLong(0)).isEqualTo(3);
        });
    }

    @Test
    void a_tensor_beyond_two_gigabytes_has_buffers_too() {
        Scope.tidy(() -> {
            Tensor x = Tensor.empty(DType.U8, Device.CPU, 3_000_000_000L); // only pages that are touched take memory
            x.buffer(2_900_000_000L, 8).putLong(0, 7);
            assertThat(x.buffer(2_900_000_000L, 8).getLong()).isEqualTo(7);
        });
    }

    @Test
    void a_window_outside_is_refused() {
        Scope.tidy(() -> {
            Tensor x = Tensor.of(new long[] {1, 2}, 2);
            assertThatThrownBy(() -> x.buffer(9, 8)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> x.buffer(-1, 1)).isInstanceOf(IllegalArgumentException.class);
        });
    }
}

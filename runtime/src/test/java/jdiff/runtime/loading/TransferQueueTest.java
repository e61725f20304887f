package jdiff.runtime.loading;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.safetensors.TensorEntry;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransferQueueTest {
    @TempDir
    Path dir;

    private StoredTensors stored;

    @BeforeEach
    void make() {
        stored = new StoredTensors(dir);
    }

    @AfterEach
    void free() {
        stored.close();
    }

    @Test
    void pieces_far_apart_in_memory_are_cut_into_ranges_that_one_buffer_spans() throws IOException {
        stored.put("m", DType.F32, 100, 2);
        SafetensorsFile file = stored.write();
        TensorEntry entry = file.entries().get("m");
        Slice slice = new Slice(entry.begin(), 8, 0, 30_000_000, 2, 100); // 12 GB from the first to the last
        Destination destination = new Destination(
                0, new Transfer("m", file, entry, List.of(slice), DType.F32, Device.META, 100, 2), null);
        List<Chunk.Range> ranges = TransferQueue.ranges(destination, slice, 1 << 20);
        assertThat(ranges.stream().mapToInt(Chunk.Range::elements).sum()).isEqualTo(200);
        assertThat(ranges).hasSizeGreaterThan(1).allMatch(range -> range.count() * range.stride() * 4 <= 1 << 30);
        destination.close();
    }

    @Test
    void small_neighbours_share_a_read_and_all_bytes_are_counted() throws IOException {
        for (int i = 0; i < 300; i++) {
            stored.put("small." + i, i % 2 == 0 ? DType.F32 : DType.BF16, 2 + i % 8 / 2 * 2);
        }
        SafetensorsFile file = stored.write();
        List<Destination> destinations = new ArrayList<>();
        for (Transfer transfer : StoredTensors.transfers(file, DType.F16)) {
            destinations.add(new Destination(0, transfer, null));
        }
        List<Chunk> chunks = new TransferQueue(1 << 20, 1 << 20).of(destinations);
        long bytes =
                file.entries().values().stream().mapToLong(TensorEntry::bytes).sum();
        assertThat(chunks.stream().mapToLong(Chunk::bytes).sum()).isEqualTo(bytes);
        assertThat(chunks).hasSize(1);
        destinations.forEach(Destination::close);
    }

    @Test
    void one_large_tensor_keeps_several_readers_busy() throws IOException {
        stored.put("large", DType.F32, 1 << 20);
        SafetensorsFile file = stored.write();
        Destination destination =
                new Destination(0, StoredTensors.transfers(file, null).get(0), null);
        assertThat(new TransferQueue(1 << 20, 1 << 20).of(List.of(destination))).hasSize(4);
        destination.close();
    }
}

package jdiff.runtime.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.safetensors.TensorEntry;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParallelLoadTest {
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

    @ParameterizedTest
    @CsvSource({
        "1, read, 16777216",
        "2, read, 64",
        "8, read, 1000",
        "1, mmap, 16777216",
        "2, mmap, 64",
        "8, mmap, 5000",
        "1, direct, 16777216",
        "2, direct, 100",
        "8, direct, 5000",
        "2, auto, 16777216"
    })
    void every_setting_gives_the_bytes_of_the_file(int readers, String io, int rangeBytes) throws IOException {
        someTensors();
        List<Transfer> transfers = transfers(null);
        List<Tensor> loaded = load(transfers, readers, WeightsIo.of(io), rangeBytes);
        for (int i = 0; i < loaded.size(); i++) {
            Tensor expected = stored.get(transfers.get(i).name());
            assertThat(loaded.get(i).toString()).isEqualTo(expected.toString());
            assertThat(loaded.get(i).toBytes()).isEqualTo(expected.toBytes());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, read, 16777216, F32",
        "3, read, 50, BF16",
        "8, mmap, 1000, F16",
        "2, direct, 5000, F32",
        "2, auto, 300, BF16",
        "2, auto, 16777216, F32"
    })
    void a_cast_is_the_same_with_every_setting(int readers, String io, int rangeBytes, DType dtype) throws IOException {
        someTensors();
        List<Transfer> transfers = transfers(dtype);
        List<Tensor> loaded = load(transfers, readers, WeightsIo.of(io), rangeBytes);
        for (int i = 0; i < loaded.size(); i++) {
            Tensor whole = stored.get(transfers.get(i).name());
            Tensor cast = stored.scope.hold(() -> whole.dtype().isFloating() ? whole.to(dtype) : whole);
            assertThat(loaded.get(i).toBytes()).isEqualTo(cast.toBytes());
        }
    }

    @ParameterizedTest
    @CsvSource({"4, auto", "40, auto", "1000, auto", "4, read", "40, read", "1000, read", "40, mmap", "40, direct"})
    void strided_slices_fill_their_columns(int rangeBytes, String io) throws IOException {
        stored.put("m", DType.F32, 6, 10);
        SafetensorsFile file = stored.write();
        TensorEntry entry = file.entries().get("m");
        // Columns 2..4 and 7..9 of each row become columns 0..2 and 2..5.
        List<Slice> slices = List.of(
                new Slice(entry.begin() + 2 * 4, 40, 0, 5, 2, 6), new Slice(entry.begin() + 7 * 4, 40, 2, 5, 3, 6));
        for (DType dtype : List.of(DType.F32, DType.BF16)) {
            Tensor loaded = load(
                            List.of(new Transfer("m", file, entry, slices, dtype, Device.CPU, 6, 5)),
                            2,
                            WeightsIo.of(io),
                            rangeBytes)
                    .get(0);
            Tensor whole = stored.get("m");
            Tensor expected =
                    stored.scope.hold(() -> Tensor.cat(List.of(whole.narrow(1, 2, 2), whole.narrow(1, 7, 3)), 1)
                            .to(dtype));
            assertThat(loaded.equal(expected)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "auto, F32",
        "read, F32",
        "mmap, F32",
        "direct, F32",
        "auto, BF16",
        "read, BF16",
        "mmap, BF16",
        "direct, BF16"
    })
    void a_file_that_shrinks_is_named_and_nothing_stays(String io, DType dtype) throws IOException {
        stored.put("a", DType.F32, 100_000);
        stored.put("b", DType.F32, 100_000);
        List<Transfer> transfers = transfers(dtype);
        long before = Scope.liveTensors();
        Path path = transfers.get(0).file().path();
        List<ParallelLoad.Component> components = List.of(new ParallelLoad.Component("x", transfers));
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(file.length() / 2);
        }
        LoadSettings settings = LoadSettings.automatic().withReaders(2).withIo(WeightsIo.of(io));
        assertThatThrownBy(() -> {
                    try (ParallelLoad load = ParallelLoad.start(components, settings, new LoadMeter())) {
                        load.await(0);
                    }
                })
                .isInstanceOf(FaultException.class)
                .hasMessageContaining(path.toString())
                .hasMessageContaining("shrank while loading");
        assertThat(Scope.liveTensors()).isEqualTo(before);
    }

    @Test
    void a_cast_looks_at_a_file_in_the_page_cache_where_it_lies() throws IOException {
        stored.put("a", DType.F32, 1000);
        SafetensorsFile file = stored.write();
        Transfer transfer = StoredTensors.transfers(file, DType.BF16).get(0);
        Tensor zeros = stored.scope.hold(() -> Tensor.zeros(DType.U8, Device.CPU, file.size()));
        OpenFile open = new OpenFile(file.path(), false);
        try (Destination destination = new Destination(0, transfer, zeros); // in place of a mapping
                Reader reader = new Reader(new HostStage(64), 64, new Bounce(4096), () -> {})) {
            Chunk.Range range = TransferQueue.ranges(
                            destination, transfer.slices().get(0), TransferQueue.RANGE_BYTES)
                    .get(0);
            reader.fill(range, open);
            destination.requireFilled();
            assertThat(destination.tensor().toBytes()).containsOnly(0);
        }
        open.close();
    }

    @Test
    void what_cannot_be_mapped_is_read_unless_it_must_be() throws IOException {
        stored.put("a", DType.F32, 1000);
        SafetensorsFile file = stored.write();
        Files.delete(file.path());
        Files.createDirectory(file.path());
        for (int i = 0; i < 100; i++) { // a folder larger than the file was
            Files.createFile(file.path().resolve("x".repeat(100) + i));
        }
        try (MappedFiles maps = new MappedFiles(false)) {
            assertThat(maps.of(file)).isNull();
            assertThat(maps.of(file)).isNull();
        }
        try (MappedFiles maps = new MappedFiles(true)) {
            assertThatThrownBy(() -> maps.of(file))
                    .isInstanceOf(FaultException.class)
                    .hasMessageContaining(file.path() + ": cannot be mapped")
                    .hasMessageContaining("--weights-io read");
        }
    }

    @Test
    void a_mapped_file_that_shrinks_while_it_is_brought_in_is_named() throws IOException {
        stored.put("a", DType.F32, 2_000_000);
        SafetensorsFile file = stored.write();
        Transfer transfer = StoredTensors.transfers(file, null).get(0);
        try (MappedFiles maps = new MappedFiles(true);
                Destination destination = new Destination(0, transfer, maps.of(file));
                Reader reader = new Reader(new HostStage(64), 64, new Bounce(4096), () -> {})) {
            Chunk.Pages pages = new Chunk.Pages(destination, transfer.entry().begin(), 0, 2_000_000);
            OpenFile open = new OpenFile(file.path(), false);
            try (RandomAccessFile access = new RandomAccessFile(file.path().toFile(), "rw")) {
                access.setLength(file.size() / 2);
            }
            assertThatThrownBy(() -> reader.fill(pages, open))
                    .isInstanceOfSatisfying(
                            FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.BAD_INPUT))
                    .hasMessageContaining(file.path() + " shrank while loading");
            open.close();
        }
    }

    @Test
    void a_mapped_file_that_shrinks_after_it_was_brought_in_is_named_at_the_end_of_the_load() throws IOException {
        stored.put("a", DType.F32, 2_000_000);
        SafetensorsFile file = stored.write();
        OpenFile open = new OpenFile(file.path(), false);
        open.expectOneMore();
        open.bringIn(8, file.size());
        try (RandomAccessFile access = new RandomAccessFile(file.path().toFile(), "rw")) {
            access.setLength(file.size() / 2);
        }
        assertThatThrownBy(open::rangeDone)
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.BAD_INPUT))
                .hasMessageContaining(file.path() + " shrank while loading");
        open.close();
    }

    @Test
    void of_several_failures_the_first_in_the_queue_is_reported() throws IOException {
        stored.put("a", DType.F32, 1000);
        SafetensorsFile first = stored.write();
        stored.clear();
        stored.put("b", DType.F32, 1000);
        SafetensorsFile second = stored.write();
        List<ParallelLoad.Component> components = List.of(
                new ParallelLoad.Component("one", StoredTensors.transfers(first, null)),
                new ParallelLoad.Component("two", StoredTensors.transfers(second, null)));
        Files.delete(first.path());
        Files.delete(second.path());
        LoadSettings settings = LoadSettings.automatic().withReaders(1).withIo(WeightsIo.READ);
        try (ParallelLoad load = ParallelLoad.start(components, settings, new LoadMeter())) {
            assertThatThrownBy(() -> load.await(1))
                    .isInstanceOfSatisfying(
                            FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.IO))
                    .hasMessageContaining(first.path().toString());
        }
    }

    @Test
    void the_meter_knows_all_bytes_before_and_after() throws IOException {
        someTensors();
        List<Transfer> transfers = transfers(null);
        LoadMeter meter = new LoadMeter();
        long bytes = transfers.stream().mapToLong(Transfer::fileBytes).sum();
        try (ParallelLoad load = ParallelLoad.start(
                List.of(new ParallelLoad.Component("x", transfers)), LoadSettings.automatic(), meter)) {
            assertThat(meter.totalBytes()).isEqualTo(bytes);
            load.await(0);
            assertThat(meter.doneBytes()).isEqualTo(bytes);
        }
    }

    private void someTensors() {
        stored.put("weight", DType.F32, 50, 70);
        stored.put("bias", DType.BF16, 51);
        stored.put("odd", DType.U8, 3);
        stored.put("after.odd", DType.F32, 5); // not aligned to its elements
        stored.put("ids", DType.I64, 7);
        stored.put("scale", DType.F16);
        stored.put("empty", DType.F32, 0, 3);
        stored.put("last", DType.F64, 33, 2);
    }

    private List<Transfer> transfers(DType floating) throws IOException {
        return StoredTensors.transfers(stored.write(), floating);
    }

    private List<Tensor> load(List<Transfer> transfers, int readers, WeightsIo io, int rangeBytes) throws IOException {
        List<ParallelLoad.Component> components = List.of(new ParallelLoad.Component("x", transfers));
        LoadSettings settings = LoadSettings.automatic().withReaders(readers).withIo(io);
        LoadStrategy strategy = LoadStrategy.of(components, settings, HostMemory.ofThisMachine())
                .withRangeBytes(rangeBytes);
        try (ParallelLoad load = ParallelLoad.start(components, strategy, new LoadMeter())) {
            load.await(0);
            List<Tensor> tensors = new ArrayList<>();
            for (int i = 0; i < transfers.size(); i++) {
                Tensor tensor = load.tensor(0, i);
                tensors.add(stored.scope.hold(() -> tensor.view(tensor.shape())));
            }
            return tensors;
        }
    }
}

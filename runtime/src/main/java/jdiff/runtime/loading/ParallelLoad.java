package jdiff.runtime.loading;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.tensor.CudaMemory;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.IntraOpThreads;
import jdiff.runtime.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Tensors of several components on their way into memory, by a few daemon threads that take chunks from one queue in the order
 * (component, file, place). The first failure stops all readers; reported is, of those met until then, the one that stands first
 * in the queue.
 */
public final class ParallelLoad implements AutoCloseable {
    private final List<ComponentLoad> components;
    private final List<Chunk> chunks;
    private final Map<SafetensorsFile, OpenFile> files;
    private final MappedFiles maps;
    private final LoadMeter meter;
    private final boolean usesCuda;
    private final List<Thread> readers = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();
    private int started;
    private volatile boolean stop;
    private int failedAt = Integer.MAX_VALUE;
    private @Nullable Throwable failure;

    private ParallelLoad(
            List<ComponentLoad> components,
            List<Chunk> chunks,
            Map<SafetensorsFile, OpenFile> files,
            MappedFiles maps,
            LoadMeter meter,
            boolean usesCuda) {
        this.components = components;
        this.chunks = chunks;
        this.files = files;
        this.maps = maps;
        this.meter = meter;
        this.usesCuda = usesCuda;
    }

    /** What belongs together and is waited for as a whole. */
    public record Component(String name, List<Transfer> transfers) {
        public Component {
            transfers = List.copyOf(transfers);
        }
    }

    /**
     * Starts to read.
     *
     * @param wanted in the order in which they are needed
     * @throws FaultException IO if a file cannot be mapped
     * @throws IllegalArgumentException if the settings ask for a way to read that a file system does not allow
     * @throws IllegalStateException if a device has not enough memory; on the CPU that is a failure of the load
     */
    public static ParallelLoad start(List<Component> wanted, LoadSettings settings, LoadMeter meter)
            throws FaultException {
        return start(wanted, LoadStrategy.of(wanted, settings, HostMemory.ofThisMachine()), meter);
    }

    static ParallelLoad start(List<Component> wanted, LoadStrategy strategy, LoadMeter meter) throws FaultException {
        List<ComponentLoad> components = new ArrayList<>();
        List<Destination> all = new ArrayList<>();
        MappedFiles maps = new MappedFiles(strategy.mustMap());
        try {
            strategy.warmUp();
            for (Component component : wanted) {
                ComponentLoad load = new ComponentLoad(component.name(), strategy.readers());
                components.add(load);
                for (Transfer transfer : component.transfers()) {
                    Tensor file = strategy.maps(transfer) ? maps.of(transfer.file()) : null;
                    Destination destination = new Destination(components.size() - 1, transfer, file);
                    load.add(destination);
                    all.add(destination);
                }
            }
            if (strategy.usesCuda()) {
                all.forEach(Destination::tensor); // from what was reserved, before copies and casts take of it
            }
        } catch (FaultException | RuntimeException | Error e) {
            components.forEach(ComponentLoad::close);
            maps.close();
            throw e;
        }
        List<Chunk> chunks = new TransferQueue(strategy.rangeBytes(), strategy.stagedBytes()).of(all);
        Map<SafetensorsFile, OpenFile> files = new HashMap<>();
        for (Chunk chunk : chunks) {
            components.get(chunk.first().component()).expectOneMore();
            SafetensorsFile file = chunk.first().transfer().file();
            files.computeIfAbsent(file, f -> new OpenFile(f.path(), strategy.isDirect(f)))
                    .expectOneMore();
            meter.expect(chunk.bytes());
        }
        ParallelLoad load = new ParallelLoad(components, chunks, files, maps, meter, strategy.usesCuda());
        load.startReaders(strategy);
        return load;
    }

    /**
     * Bytes that {@link #start} would allocate on each device. Tensors on mapped files are not among them.
     *
     * @throws IllegalArgumentException if the settings ask for a way to read that a file system does not allow
     */
    public static Map<Device, Long> allocatedBytes(List<Component> wanted, LoadSettings settings) {
        Map<SafetensorsFile, Boolean> mappable = new HashMap<>();
        Map<Device, Long> bytes = new HashMap<>();
        for (Component component : wanted) {
            for (Transfer transfer : component.transfers()) {
                boolean mapped = mappable.computeIfAbsent(
                        transfer.file(), file -> LoadStrategy.mayMap(settings.io(), FileSystem.of(file.path())));
                if (!mapped || !transfer.isMappable()) {
                    bytes.merge(transfer.device(), transfer.memoryBytes(), Long::sum);
                }
            }
        }
        return bytes;
    }

    /**
     * Waits until a component is in memory.
     *
     * @throws FaultException IO if a file cannot be read, BAD_INPUT if one shrank; of this component or of one that is needed
     *     earlier or later: a load fails as a whole
     */
    public void await(int component) throws FaultException {
        try {
            components.get(component).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FaultException(Fault.IO, "loading was interrupted");
        }
        rethrow();
        components.get(component).requireFilled();
    }

    /** The memory of a transfer; complete after {@link #await}. */
    public Tensor tensor(int component, int transfer) {
        return components.get(component).tensor(transfer);
    }

    /** Frees a transfer's hold on its tensor: views of it live on. */
    public void release(int component, int transfer) {
        components.get(component).release(transfer);
    }

    /** Stops what is still going on, and frees what nobody took. */
    @Override
    public void close() throws FaultException {
        stop = true;
        boolean interrupted = false;
        for (Thread reader : readers) {
            while (reader.isAlive()) {
                try {
                    reader.join();
                } catch (InterruptedException e) {
                    interrupted = true; // readers write into memory that is about to be freed: they are waited for
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        IntraOpThreads.makeDefault();
        if (usesCuda) {
            CudaMemory.releaseCache(); // what casts and warm-up left over
        }
        components.forEach(ComponentLoad::close);
        maps.close();
        for (OpenFile file : files.values()) {
            file.close();
        }
    }

    /** One for each processor: more only help where a disk is waited for, and are started then. */
    private void startReaders(LoadStrategy strategy) {
        for (int i = 0; i < Math.min(strategy.readers(), chunks.size()); i++) {
            Thread thread = new Thread(() -> work(strategy), "weights-" + i);
            thread.setDaemon(true);
            readers.add(thread);
        }
        startReaders(Runtime.getRuntime().availableProcessors());
    }

    /** By readers only, or before there is one: who waits for all, in the order of the list, waits for those started meanwhile. */
    private synchronized void startReaders(int wanted) {
        while (started < Math.min(wanted, readers.size()) && !stop) {
            readers.get(started++).start();
        }
    }

    private void work(LoadStrategy strategy) {
        IntraOpThreads.useOne();
        try (Reader reader = strategy.reader(() -> startReaders(strategy.readers()))) {
            int onItsWay = -1;
            int i = next.getAndIncrement();
            while (!stop && i < chunks.size()) {
                try {
                    Chunk chunk = chunks.get(i);
                    components.get(chunk.first().component()).started();
                    reader.fill(chunk, file(chunk));
                    if (onItsWay >= 0) {
                        reader.finishEarlier();
                        done(chunks.get(onItsWay));
                    }
                    onItsWay = strategy.usesCuda() ? i : -1; // copies to a device go on behind the reader's back
                    if (onItsWay < 0) {
                        done(chunk);
                    }
                } catch (FaultException | RuntimeException | Error e) {
                    failed(i, e);
                }
                i = next.getAndIncrement();
            }
            finish(reader, onItsWay);
        }
    }

    private void finish(Reader reader, int onItsWay) {
        try {
            reader.finish();
            if (onItsWay >= 0) {
                done(chunks.get(onItsWay));
            }
        } catch (FaultException | RuntimeException | Error e) {
            failed(Math.max(0, onItsWay), e);
        }
    }

    private void done(Chunk chunk) throws FaultException {
        file(chunk).rangeDone();
        meter.done(chunk.bytes());
        components.get(chunk.first().component()).done(chunk.bytes());
    }

    private OpenFile file(Chunk chunk) {
        return Objects.requireNonNull(files.get(chunk.first().transfer().file()));
    }

    private void failed(int index, Throwable e) {
        stop = true;
        synchronized (this) {
            if (index < failedAt) {
                failedAt = index;
                failure = e;
            }
        }
        components.forEach(ComponentLoad::giveUp);
    }

    private void rethrow() throws FaultException {
        if (failure() == null) {
            return;
        }
        for (Thread reader : readers) { // one of them may be about to report an earlier failure
            try {
                reader.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        Throwable cause = failure();
        if (cause instanceof FaultException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        throw new IllegalStateException("a reader of weights failed: " + cause, cause);
    }

    private synchronized @Nullable Throwable failure() {
        return failure;
    }
}

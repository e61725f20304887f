package jdiff.runtime.loading;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jdiff.runtime.loading.ParallelLoad.Component;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.tensor.CudaMemory;
import jdiff.runtime.tensor.Device;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** How each file of a load is read, and with how much memory and how many threads: the settings, seen in the light of the files. */
final class LoadStrategy {
    private static final Logger LOG = LogManager.getLogger();
    /** Staging memory of a process, and of all processes of a node together. */
    private static final long STAGED_PER_PROCESS = 64L << 20;

    private static final long STAGED_PER_NODE = 256L << 20;
    /** Where very many readers share the memory. */
    private static final int STAGED_LEAST = 64 << 10;

    /** Most for one reader on the CPU: what is cast again while it is still in the cache of its processor. */
    private static final int STAGED_MOST = 1 << 20;
    /** Device memory that a reservation leaves alone. */
    private static final long LEAST_MARGIN = 512L << 20;
    /** Readers of a node on one remote mount: more make servers slower, not faster. */
    private static final int REMOTE_PER_NODE = 8;

    private final WeightsIo io;
    private final int readers;
    private final int rangeBytes;
    private final int stagedBytes;
    private final boolean pastCache;
    private final Map<SafetensorsFile, FileSystem> systems;
    private final boolean warmUp;
    private final Map<Device, Long> cudaBytes;

    private LoadStrategy(
            WeightsIo io,
            int readers,
            int rangeBytes,
            int stagedBytes,
            boolean pastCache,
            Map<SafetensorsFile, FileSystem> systems,
            boolean warmUp,
            Map<Device, Long> cudaBytes) {
        this.io = io;
        this.readers = readers;
        this.rangeBytes = rangeBytes;
        this.stagedBytes = stagedBytes;
        this.pastCache = pastCache;
        this.systems = systems;
        this.warmUp = warmUp;
        this.cudaBytes = cudaBytes;
    }

    static LoadStrategy of(List<Component> components, LoadSettings settings, HostMemory memory) {
        Map<SafetensorsFile, FileSystem> systems = new HashMap<>();
        Map<Device, Long> cudaBytes = new HashMap<>();
        long read = 0;
        long kept = 0;
        for (Component component : components) {
            for (Transfer transfer : component.transfers()) {
                FileSystem system = systems.computeIfAbsent(transfer.file(), f -> FileSystem.of(f.path()));
                boolean mapped = mayMap(settings.io(), system) && transfer.isMappable();
                read += mapped ? 0 : transfer.fileBytes();
                if (transfer.device().type() == Device.Type.CUDA) {
                    cudaBytes.merge(transfer.device(), transfer.memoryBytes(), Long::sum);
                } else {
                    kept += mapped ? 0 : transfer.memoryBytes();
                }
            }
        }
        boolean remote = systems.values().stream().anyMatch(FileSystem::isRemote);
        int readers = settings.readers();
        if (remote) {
            readers = Math.max(1, Math.min(readers, REMOTE_PER_NODE / settings.localWorldSize()));
        }
        long staged = Math.min(STAGED_PER_PROCESS, STAGED_PER_NODE / settings.localWorldSize()) / readers;
        int most = cudaBytes.isEmpty() ? STAGED_MOST : TransferQueue.RANGE_BYTES;
        int stagedBytes = (int) Math.max(STAGED_LEAST, Math.min(most, staged));
        // What would push itself out of the page cache before it is read again need not go through it.
        boolean pastCache =
                settings.io() == WeightsIo.AUTO && read > memory.availableBytes() - kept * settings.localWorldSize();
        if (pastCache) {
            LOG.info("the weights exceed the memory left for the page cache; local files are read past it");
        }
        if (settings.io() == WeightsIo.READ && kept * settings.localWorldSize() > memory.totalBytes() / 2) {
            LOG.warn(
                    "weights of {} take more than half of the memory of this node; --weights-io mmap uses the pages of their"
                            + " files instead, one copy for all workers, which gives way where memory is short",
                    settings.localWorldSize() == 1 ? "this process" : settings.localWorldSize() + " processes");
        }
        return new LoadStrategy(
                settings.io(),
                readers,
                TransferQueue.RANGE_BYTES,
                stagedBytes,
                pastCache,
                systems,
                settings.warmUp(),
                cudaBytes);
    }

    /** The same with reads of at most so many bytes. */
    LoadStrategy withRangeBytes(int bytes) {
        return new LoadStrategy(
                io, readers, bytes, Math.min(bytes, stagedBytes), pastCache, systems, warmUp, cudaBytes);
    }

    /** Whether files of this system may be mapped. */
    static boolean mayMap(WeightsIo io, FileSystem system) {
        if (io == WeightsIo.MMAP && system.isRemote()) {
            throw new IllegalArgumentException("--weights-io mmap: weights on " + system.type()
                    + " are not mapped, since a lost server would end the process; use --weights-io read");
        }
        return (io == WeightsIo.MMAP || io == WeightsIo.AUTO) && !system.isRemote();
    }

    int readers() {
        return readers;
    }

    /** Largest read. */
    int rangeBytes() {
        return rangeBytes;
    }

    /** Memory of one reader for what cannot be read in place. */
    int stagedBytes() {
        return stagedBytes;
    }

    /** Whether the file is mapped for it, to become the tensor or to be copied from. */
    boolean maps(Transfer transfer) {
        return transfer.isAligned() && mayMap(io, system(transfer.file()));
    }

    /** Whether a file that cannot be mapped is an error; else it is read. */
    boolean mustMap() {
        return io == WeightsIo.MMAP;
    }

    /** Whether the file is read past the page cache. */
    boolean isDirect(SafetensorsFile file) {
        return io == WeightsIo.DIRECT || (pastCache && !system(file).isRemote());
    }

    /** Whether anything goes to a CUDA device. */
    boolean usesCuda() {
        return !cudaBytes.isEmpty();
    }

    /** Has the allocator of each CUDA device hold what it will need in one piece. */
    void warmUp() {
        if (warmUp) {
            cudaBytes.forEach((device, bytes) -> {
                CudaMemory.Room room = CudaMemory.room(device);
                CudaMemory.reserve(device, warmUpBytes(bytes, room.freeBytes(), room.totalBytes()));
            });
        }
    }

    /** What is reserved of a device for {@code wanted} bytes of parameters: the rest of it stays free for others. */
    static long warmUpBytes(long wanted, long free, long total) {
        long margin = Math.max(LEAST_MARGIN, total / 20);
        return Math.max(0, Math.min(wanted, free - margin));
    }

    /** @param beforeWaiting see {@link Reader} */
    Reader reader(Runnable beforeWaiting) {
        int bytes = stagedBytes + Stage.ALIGNMENT;
        return new Reader(
                usesCuda() ? new PinnedStage(bytes) : new HostStage(bytes),
                stagedBytes,
                new Bounce(stagedBytes),
                beforeWaiting);
    }

    private FileSystem system(SafetensorsFile file) {
        return Objects.requireNonNull(systems.get(file));
    }
}

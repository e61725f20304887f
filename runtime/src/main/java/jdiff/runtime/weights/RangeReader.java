package jdiff.runtime.weights;

import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ranges of all destinations by a few daemon threads that take them from one queue in the order (file, offset): straight
 * into final memory where dtype and device allow it, else through a bounded staging tensor. The first failure stops all; reported
 * is the one that stands first in the queue.
 */
final class RangeReader {
    static final long RANGE_BYTES = 16L << 20;
    private static final int MAX_READERS = 8;
    /** All staging tensors of this process together. */
    private static final long STAGING_BYTES = 64L << 20;

    private final List<Range> ranges;
    private final Map<SafetensorsFile, SharedFile> files;
    private final AtomicInteger next = new AtomicInteger();
    private volatile boolean stop;
    private int failedAt = Integer.MAX_VALUE;
    private @Nullable Throwable failure;

    private RangeReader(List<Range> ranges, Map<SafetensorsFile, SharedFile> files) {
        this.ranges = ranges;
        this.files = files;
    }

    /** One per processor of this JVM (under a launcher the worker's share of the node), at most 8: more gain nothing. */
    static int automatic() {
        return Math.min(MAX_READERS, Runtime.getRuntime().availableProcessors());
    }

    static void read(Collection<Destination> destinations, int readers, long rangeBytes) throws FaultException {
        if (readers < 1) {
            throw new IllegalArgumentException("wanted at least 1 reader, got " + readers);
        }
        var order = new IdentityHashMap<SafetensorsFile, Integer>();
        var ranges = new ArrayList<Range>();
        long stagedLimit = Math.min(rangeBytes, STAGING_BYTES / readers);
        for (Destination destination : destinations) {
            Parameter parameter = destination.parameter();
            order.putIfAbsent(parameter.location().file(), order.size());
            Range.cut(destination, isDirect(destination) ? rangeBytes : stagedLimit, ranges);
        }
        ranges.sort((a, b) -> {
            int byFile = Integer.compare(rank(order, a), rank(order, b));
            return byFile != 0 ? byFile : Long.compare(a.fileOffset(), b.fileOffset());
        });
        var files = new IdentityHashMap<SafetensorsFile, SharedFile>();
        for (Range range : ranges) {
            files.computeIfAbsent(range.file(), SharedFile::new).expectOneMore();
        }
        new RangeReader(ranges, files).run(readers);
        destinations.forEach(Destination::requireFilled);
    }

    private static int rank(Map<SafetensorsFile, Integer> order, Range range) {
        return Objects.requireNonNull(order.get(range.file()));
    }

    /** Bytes of the file are the bytes in memory. */
    private static boolean isDirect(Destination destination) {
        Parameter parameter = destination.parameter();
        return parameter.dtype() == parameter.location().entry().type().dtype()
                && destination.tensor().device().type() == Device.Type.CPU;
    }

    private void run(int readers) throws FaultException {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < Math.min(readers, ranges.size()); i++) {
            var thread = new Thread(this::work, "weights-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    // Readers hold memory that is about to be freed: they are waited for, but take no more ranges.
                    stop = true;
                    interrupted = true;
                }
            }
        }
        for (SharedFile file : files.values()) {
            file.close();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
            throw new FaultException(Fault.IO, "loading was interrupted");
        }
        rethrow();
    }

    private void work() {
        try (var stage = new Stage()) {
            while (!stop) {
                int i = next.getAndIncrement();
                if (i >= ranges.size()) {
                    return;
                }
                Range range = ranges.get(i);
                SharedFile file = Objects.requireNonNull(files.get(range.file()));
                try {
                    if (isDirect(range.destination())) {
                        direct(range, file);
                    } else {
                        staged(range, file, stage.of(range));
                    }
                    range.destination().filled(range.elements());
                    file.rangeDone();
                } catch (FaultException | RuntimeException | Error e) {
                    failed(i, e);
                }
            }
        }
    }

    /** The staging tensor of one reader: grows to the largest range, one dtype at a time. */
    private static final class Stage implements AutoCloseable {
        private Scope scope = Scope.keep();
        private @Nullable Tensor tensor;

        Tensor of(Range range) {
            DType stored = Objects.requireNonNull(
                    range.destination().parameter().location().entry().type().dtype());
            Tensor old = tensor;
            if (old != null && old.dtype() == stored && old.numel() >= range.elements()) {
                return old;
            }
            scope.close();
            scope = Scope.keep();
            Tensor made = scope.hold(() -> Tensor.empty(stored, Device.CPU, range.elements()));
            tensor = made;
            return made;
        }

        @Override
        public void close() {
            scope.close();
        }
    }

    private static void direct(Range range, SharedFile file) throws FaultException {
        Tensor target = range.destination().tensor();
        int elementBytes = target.dtype().sizeBytes();
        for (int k = 0; k < range.count(); k++) {
            long to = (range.element() + k * range.stride()) * elementBytes;
            file.read(target.buffer(to, range.piece() * elementBytes), range.fileOffset() + k * range.fileStride());
        }
    }

    private static void staged(Range range, SharedFile file, Tensor stage) throws FaultException {
        int pieceBytes = range.piece() * stage.dtype().sizeBytes();
        for (int k = 0; k < range.count(); k++) {
            file.read(stage.buffer((long) k * pieceBytes, pieceBytes), range.fileOffset() + k * range.fileStride());
        }
        Scope.tidy(() -> {
            Tensor read = stage.narrow(0, 0, range.elements());
            Tensor flat = range.destination().tensor().view(-1);
            if (range.count() == 1) {
                flat.narrow(0, range.element(), range.piece()).copy_(read);
            } else {
                flat.view(-1, range.stride())
                        .narrow(0, range.element() / range.stride(), range.count())
                        .narrow(1, range.element() % range.stride(), range.piece())
                        .copy_(read.view(range.count(), range.piece()));
            }
        });
    }

    private synchronized void failed(int index, Throwable e) {
        stop = true;
        if (index < failedAt) {
            failedAt = index;
            failure = e;
        }
    }

    private synchronized void rethrow() throws FaultException {
        if (failure instanceof FaultException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        if (failure != null) {
            throw new IllegalStateException("a reader of weights failed: " + failure.getMessage(), failure);
        }
    }
}

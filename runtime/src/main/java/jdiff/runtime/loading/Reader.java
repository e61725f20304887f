package jdiff.runtime.loading;

import java.nio.ByteBuffer;
import java.util.Objects;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.loading.Chunk.Pages;
import jdiff.runtime.loading.Chunk.Range;
import jdiff.runtime.loading.Chunk.Span;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/** Does chunks, one after another: what one thread of the pool needs. */
final class Reader implements AutoCloseable {
    private final Stage stage;
    private final int stagedBytes;
    private final Bounce bounce;
    private final Runnable beforeWaiting;

    /**
     * @param stagedBytes that fit the memory of {@code stage}
     * @param beforeWaiting done before each chunk that may have to wait for a disk
     */
    Reader(Stage stage, int stagedBytes, Bounce bounce, Runnable beforeWaiting) {
        this.stage = stage;
        this.stagedBytes = stagedBytes;
        this.bounce = bounce;
        this.beforeWaiting = beforeWaiting;
    }

    /** Brings one chunk into place, or on its way there: see {@link Stage#finish}. */
    void fill(Chunk chunk, OpenFile file) throws FaultException {
        Tensor mapped = chunk.first().file();
        boolean cached = mapped != null && file.isCached(chunk.fileOffset(), chunk.end());
        if (!cached) {
            beforeWaiting.run();
        }
        if (chunk instanceof Pages pages) {
            if (!cached) {
                file.bringIn(pages.fileOffset(), pages.end());
            }
            pages.destination().filled(pages.elements());
        } else if (chunk instanceof Span span) {
            span(span, file);
        } else if (chunk instanceof Range range) {
            if (mapped != null && cached) {
                int elementBytes = range.destination().transfer().elementBytes();
                copy(range, mapped, range.fileOffset(), range.fileStride() / elementBytes);
            } else if (range.destination().isDirect()) {
                direct(range, file);
            } else {
                staged(range, file);
            }
        }
    }

    /** Waits for the chunks before the last one. */
    void finishEarlier() {
        stage.finishEarlier();
    }

    /** Waits for all chunks. */
    void finish() {
        stage.finish();
    }

    private void direct(Range range, OpenFile file) throws FaultException {
        int elementBytes = range.destination().transfer().elementBytes();
        pieces(
                range,
                range.destination().tensor(),
                range.element() * elementBytes,
                range.stride() * elementBytes,
                file);
        range.destination().filled(range.elements());
    }

    /** In parts that fit the stage: one after another, so that a disk still sees a long read in order. */
    private void staged(Range range, OpenFile file) throws FaultException {
        Slice slice = new Slice(
                range.fileOffset(), range.fileStride(), range.element(), range.stride(), range.piece(), range.count());
        for (Range part : TransferQueue.ranges(range.destination(), slice, stagedBytes)) {
            Tensor memory = stage.memory();
            pieces(part, memory, 0, part.pieceBytes(), file);
            copy(part, memory, 0, part.piece());
        }
    }

    /** Every piece of a range into contiguous memory, from byte {@code to} on and {@code stride} bytes apart. */
    private void pieces(Range range, Tensor memory, long to, long stride, OpenFile file) throws FaultException {
        // One window for all: it takes longer to make than a short piece to read.
        ByteBuffer window = memory.buffer(to, Math.toIntExact((range.count() - 1) * stride + range.pieceBytes()));
        for (int k = 0; k < range.count(); k++) {
            int at = Math.toIntExact(k * stride);
            window.limit(at + range.pieceBytes()).position(at);
            file.read(window, range.fileOffset() + k * range.fileStride(), bounce);
        }
    }

    private void span(Span span, OpenFile file) throws FaultException {
        Tensor memory = stage.memory();
        // Elements keep the alignment that they have in the file.
        int shift = (int) (span.fileOffset() % Stage.ALIGNMENT);
        file.read(memory.buffer(shift, span.length()), span.fileOffset(), bounce);
        for (Range range : span.ranges()) {
            int at = shift + (int) (range.fileOffset() - span.fileOffset());
            if (range.destination().isDirect()) {
                ByteBuffer source = memory.buffer(at, range.pieceBytes());
                int elementBytes = range.destination().transfer().elementBytes();
                range.destination()
                        .tensor()
                        .buffer(range.element() * elementBytes, range.pieceBytes())
                        .put(source);
                range.destination().filled(range.elements());
            } else {
                copy(range, memory, at, range.piece());
            }
        }
    }

    /**
     * The pieces of a range from memory into the destination, cast.
     *
     * @param memory uint8; the first piece is at byte {@code at}, a multiple of the size of an element
     * @param stride elements from one piece to the next there
     */
    private void copy(Range range, Tensor memory, long at, long stride) {
        Scope.tidy(() -> {
            Transfer transfer = range.destination().transfer();
            int elementBytes = transfer.elementBytes();
            Tensor elements = memory.narrow(0, 0, memory.numel() / elementBytes * elementBytes)
                    .view(Objects.requireNonNull(transfer.entry().type().dtype()));
            long[] shape = {range.count(), range.piece()};
            stage.copy(
                    range.destination().tensor().asStrided(shape, new long[] {range.stride(), 1}, range.element()),
                    elements.asStrided(shape, new long[] {stride, 1}, at / elementBytes));
        });
        range.destination().filled(range.elements());
    }

    @Override
    public void close() {
        stage.close();
    }
}

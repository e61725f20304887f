package jdiff.cli.benchmark;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/** Reads a byte of every page of tensors: what is mapped is in the page table of this process then. */
final class PageTouch {
    private static final int PAGE_BYTES = 4096;
    private static final int WINDOW_BYTES = 16 << 20;

    private PageTouch() {}

    /** Spreads the windows over threads, as a load spreads its reads. */
    static void all(Scope tensors, int threads) {
        List<ByteBuffer> windows = new ArrayList<>();
        tensors.forEach(tensor -> {
            if (tensor.isContiguous()) { // others are views of one that is
                windows(tensor, windows);
            }
        });
        AtomicInteger next = new AtomicInteger();
        AtomicInteger sum = new AtomicInteger();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                for (int at = next.getAndIncrement(); at < windows.size(); at = next.getAndIncrement()) {
                    sum.addAndGet(touch(windows.get(at)));
                }
            });
            running.add(thread);
            thread.start();
        }
        for (Thread thread : running) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void windows(Tensor tensor, List<ByteBuffer> windows) {
        long bytes = tensor.numel() * tensor.dtype().sizeBytes();
        for (long at = 0; at < bytes; at += WINDOW_BYTES) {
            windows.add(tensor.buffer(at, (int) Math.min(WINDOW_BYTES, bytes - at)));
        }
    }

    private static int touch(ByteBuffer window) {
        int sum = window.get(window.limit() - 1);
        for (int i = 0; i < window.limit(); i += PAGE_BYTES) {
            sum += window.get(i);
        }
        return sum;
    }
}

package jdiff.runtime.distributed;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;
import jdiff.runtime.distributed.ProcessGroup.Pending;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/**
 * Ranks that are threads of one JVM. As strict as a network without buffers: a send is done when its receiver has copied it, so
 * that a buffer that is overwritten too early or two ranks that both send first fail here as well.
 */
final class ThreadTransport implements Transport {
    private final Hub hub;
    private final int index;

    ThreadTransport(Hub hub, int index) {
        this.hub = hub;
        this.index = index;
    }

    /** What the threads of one group share. */
    static final class Hub {
        private final int size;
        private final Duration timeout;
        private final CyclicBarrier barrier;
        private final AtomicReferenceArray<Tensor> slots;
        private final List<BlockingQueue<Parcel>> mailboxes;
        private volatile boolean broken;

        Hub(int size, Duration timeout) {
            this.size = size;
            this.timeout = timeout;
            this.barrier = new CyclicBarrier(size);
            this.slots = new AtomicReferenceArray<>(size);
            this.mailboxes = Stream.<BlockingQueue<Parcel>>generate(LinkedBlockingQueue::new)
                    .limit((long) size * size)
                    .toList();
        }

        /** A rank has died: the others are released with an error. */
        void breakUp() {
            broken = true;
            barrier.reset();
        }

        private BlockingQueue<Parcel> mailbox(int from, int to) {
            return mailboxes.get(from * size + to);
        }
    }

    private record Parcel(Tensor tensor, CountDownLatch copied) {}

    @Override
    public void allReduce(Tensor x) {
        hub.slots.set(index, x);
        barrier();
        Scope.tidy(() -> {
            Tensor sum = hub.slots.get(0);
            for (int i = 1; i < hub.size; i++) { // in order of the ranks: the same bits on each of them
                sum = sum.add(hub.slots.get(i));
            }
            barrier();
            x.copy_(sum);
        });
        barrier();
    }

    @Override
    public void broadcast(Tensor x, int root) {
        if (index == root) {
            hub.slots.set(root, x);
        }
        barrier();
        if (index != root) {
            copy(hub.slots.get(root), x);
        }
        barrier();
    }

    @Override
    public Pending exchange(List<Message> sends, List<Message> receives, boolean collective) {
        List<Parcel> sent = sends.stream()
                .map(message -> new Parcel(message.tensor(), new CountDownLatch(1)))
                .toList();
        for (int i = 0; i < sent.size(); i++) {
            hub.mailbox(index, sends.get(i).peer()).add(sent.get(i));
        }
        return () -> {
            for (Message message : receives) {
                Parcel parcel = take(message.peer());
                copy(parcel.tensor, message.tensor());
                parcel.copied.countDown();
            }
            for (int i = 0; i < sent.size(); i++) {
                CountDownLatch copied = sent.get(i).copied;
                poll("send to index " + sends.get(i).peer(), () -> copied.await(10, TimeUnit.MILLISECONDS));
            }
        };
    }

    @Override
    public void barrier() {
        try {
            if (hub.broken) {
                throw lost();
            }
            hub.barrier.await(hub.timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (BrokenBarrierException e) {
            throw hub.broken ? lost() : silent("barrier");
        } catch (TimeoutException e) {
            throw silent("barrier");
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public void close() {}

    private Parcel take(int from) {
        BlockingQueue<Parcel> mailbox = hub.mailbox(from, index);
        Parcel[] parcel = new Parcel[1];
        poll("receive from index " + from, () -> {
            parcel[0] = mailbox.poll(10, TimeUnit.MILLISECONDS);
            return parcel[0] != null;
        });
        return parcel[0];
    }

    private static void copy(Tensor from, Tensor to) {
        if (from.dtype() != to.dtype() || from.numel() != to.numel()) {
            // Gloo would end the process here.
            throw new DistributedException(Fault.CONFIG, "the peer has " + from + " where " + to + " is expected");
        }
        Scope.tidy(() -> {
            to.copy_(from.reshape(to.shape()));
        });
    }

    private interface Attempt {
        boolean once() throws InterruptedException;
    }

    private void poll(String what, Attempt attempt) {
        long deadline = System.nanoTime() + hub.timeout.toNanos();
        try {
            while (!attempt.once()) {
                if (hub.broken) {
                    throw lost();
                }
                if (System.nanoTime() - deadline > 0) {
                    throw silent(what);
                }
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static DistributedException lost() {
        return new DistributedException(Fault.PEER_LOST, "connection closed by peer");
    }

    private DistributedException silent(String what) {
        return new DistributedException(Fault.HANG, what + " timed out after " + hub.timeout.toMillis() + " ms");
    }

    private static DistributedException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new DistributedException(Fault.ERROR, "interrupted", e);
    }
}

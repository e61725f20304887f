package jdiff.runtime.tensor;

import java.util.HashMap;
import java.util.Map;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.cuda.CUDAEvent;
import org.bytedeco.pytorch.cuda.CUDAStream;
import org.bytedeco.pytorch.cuda.CUDAStreamGuard;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch_cuda;

/**
 * Page-locked host memory in a few slots, and for each CUDA device a stream that copies out of them: while one slot is on its way
 * the next is filled. For one thread. What it has copied may be used by any stream after {@link #finish}.
 */
public final class PinnedRing implements AutoCloseable {
    private final Scope scope = Scope.keep();
    private final Tensor[] slots;
    private final Map<Device, Lane> lanes = new HashMap<>();
    private int current;

    /** Slots of {@code slotBytes} each. */
    public PinnedRing(int numSlots, int slotBytes) {
        this.slots = new Tensor[numSlots];
        for (int i = 0; i < numSlots; i++) {
            slots[i] = scope.hold(() -> pinned(slotBytes));
        }
    }

    private static Tensor pinned(int bytes) {
        try (org.bytedeco.pytorch.Device target = Device.CPU.toNative();
                DeviceOptional on = new DeviceOptional(target);
                ScalarTypeOptional type = new ScalarTypeOptional(ScalarTypes.of(DType.U8));
                BoolOptional yes = new BoolOptional(true);
                TensorOptions options = new TensorOptions();
                TensorOptions placed = options.device(on);
                TensorOptions typed = placed.dtype(type);
                TensorOptions pinned = typed.pinned_memory(yes)) {
            return Tensor.wrap(torch.empty(new long[] {bytes}, pinned, NativeOptions.ANY_FORMAT));
        }
    }

    /** The next slot, uint8: what was copied from it before has arrived. */
    public Tensor next() {
        current = (current + 1) % slots.length;
        await(current);
        return slots[current];
    }

    /** Starts to copy {@code from}, which lies in the current slot, to {@code to} on a CUDA device; a cast is done there. */
    public void copy(Tensor to, Tensor from) {
        Lane lane = lanes.computeIfAbsent(to.device(), device -> new Lane(device, slots.length));
        lane.copy(to, from, current);
    }

    /** Waits for everything that was copied out of other slots than the current one. */
    public void finishEarlier() {
        for (int slot = 0; slot < slots.length; slot++) {
            if (slot != current) {
                await(slot);
            }
        }
    }

    /** Waits for everything that was copied. */
    public void finish() {
        finishEarlier();
        await(current);
    }

    private void await(int slot) {
        lanes.values().forEach(lane -> lane.await(slot));
    }

    @Override
    public void close() {
        finish();
        lanes.values().forEach(Lane::close);
        scope.close();
    }

    /** The stream to one device, and for each slot an event behind its last copy. */
    private static final class Lane implements AutoCloseable {
        private final CUDAStream stream;
        private final CUDAEvent[] events;
        private final boolean[] underWay;

        Lane(Device device, int numSlots) {
            this.stream = torch_cuda.getStreamFromPool(false, (byte) device.index());
            this.events = new CUDAEvent[numSlots];
            this.underWay = new boolean[numSlots];
            for (int i = 0; i < numSlots; i++) {
                events[i] = new CUDAEvent();
            }
        }

        void copy(Tensor to, Tensor from, int slot) {
            try (CUDAStreamGuard guard = new CUDAStreamGuard(stream.asStream())) {
                if (to.dtype() == from.dtype()) {
                    to.unwrap().copy_(from.unwrap(), true);
                } else {
                    try (org.bytedeco.pytorch.Device device = to.device().toNative();
                            org.bytedeco.pytorch.Tensor there = from.unwrap()
                                    .to(device, ScalarTypes.of(from.dtype()), true, false, NativeOptions.ANY_FORMAT)) {
                        // Freed at once: its memory is given out again to this stream only.
                        to.unwrap().copy_(there, true);
                    }
                }
                events[slot].record(guard.current_stream());
                underWay[slot] = true;
            }
        }

        void await(int slot) {
            if (underWay[slot]) {
                events[slot].synchronize();
                underWay[slot] = false;
            }
        }

        @Override
        public void close() {
            for (CUDAEvent event : events) {
                event.close();
            }
            stream.close();
        }
    }
}

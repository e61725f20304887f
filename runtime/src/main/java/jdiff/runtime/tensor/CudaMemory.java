package jdiff.runtime.tensor;

import org.bytedeco.pytorch.SizeTPair;
import org.bytedeco.pytorch.global.torch.DeviceType;
import org.bytedeco.pytorch.global.torch_cuda;

/** What libtorch's caching allocator holds of a CUDA device. Every call makes a context on the device. */
public final class CudaMemory {
    private static final long LEAST_BYTES = 64L << 20;

    private CudaMemory() {}

    /** Bytes that nobody has allocated, and all bytes of the device. */
    public record Room(long freeBytes, long totalBytes) {}

    /** What is left of a device now. */
    public static Room room(Device device) {
        try (SizeTPair memory = torch_cuda.getDeviceAllocator(DeviceType.CUDA).getMemoryInfo((byte) device.index())) {
            return new Room(memory.first(), memory.second());
        }
    }

    /**
     * Takes one block and gives it back to the allocator's cache, so that what is allocated next comes out of one piece. Where
     * there is no such block a half of it is tried, and so on down to 64 MiB; never fails.
     *
     * @return bytes of the block, 0 if there was none
     */
    public static long reserve(Device device, long bytes) {
        long size = bytes;
        while (size >= LEAST_BYTES && !fits(device, size)) {
            size /= 2;
        }
        return size >= LEAST_BYTES ? size : 0;
    }

    private static boolean fits(Device device, long bytes) {
        try {
            Scope.tidy(() -> {
                Tensor.empty(DType.U8, device, bytes);
            });
            return true;
        } catch (RuntimeException e) {
            return false; // not in one piece
        }
    }

    /** Gives back what the allocator holds and no tensor uses. */
    public static void releaseCache() {
        torch_cuda.getDeviceAllocator(DeviceType.CUDA).emptyCache();
    }
}

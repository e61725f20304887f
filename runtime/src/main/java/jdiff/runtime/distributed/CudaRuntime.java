package jdiff.runtime.distributed;

import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.tensor.Device;
import org.bytedeco.pytorch.SizeTPair;
import org.bytedeco.pytorch.cuda.DeviceAllocator;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.DeviceType;
import org.bytedeco.pytorch.global.torch_cuda;

/**
 * CUDA as libtorch sees it. A libtorch that was built without CUDA counts 0 devices, and no CUDA class is loaded; neither does a
 * CUDA build without a GPU. <b>Not run so far</b> on a machine with GPUs.
 */
public final class CudaRuntime {
    private CudaRuntime() {}

    /** A device by libtorch's index and its memory in bytes. */
    public record Memory(int index, long freeBytes, long totalBytes) {}

    /** CUDA devices that can be used; 0 without driver, device or CUDA build. */
    public static int deviceCount() {
        return isCudaBuild() ? torch.cuda_device_count() : 0;
    }

    /** Whether the native libraries on the class path are those of the CUDA build; loads nothing. */
    public static boolean isCudaBuild() {
        return CudaRuntime.class.getResource("/org/bytedeco/pytorch/linux-x86_64-gpu/libtorch_cuda.so") != null;
    }

    /** The usable devices; asking makes a CUDA context on each. */
    public static List<Memory> devices() {
        List<Memory> devices = new ArrayList<>();
        for (int i = 0; i < deviceCount(); i++) {
            devices.add(Native.memory((byte) i));
        }
        return devices;
    }

    /** Makes the device current for this thread, where allocations without an index go. */
    static void use(Device device) {
        Native.use((byte) device.index());
    }

    /** Apart, so that the CUDA binding is loaded only when it is called. */
    private static final class Native {
        static void use(byte index) {
            torch_cuda.set_device(index);
        }

        static Memory memory(byte index) {
            DeviceAllocator allocator = torch_cuda.getDeviceAllocator(DeviceType.CUDA);
            try (SizeTPair memory = allocator.getMemoryInfo(index)) {
                return new Memory(index, memory.first(), memory.second());
            }
        }
    }
}

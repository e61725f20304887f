package jdiff.runtime.distributed;

import jdiff.runtime.tensor.Device;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch_cuda;

/**
 * CUDA as libtorch sees it. A libtorch that was built without CUDA counts 0 devices, and no CUDA class is loaded. <b>Not run so
 * far</b> on a machine with GPUs.
 */
public final class CudaRuntime {
    private CudaRuntime() {}

    /** CUDA devices that can be used; 0 without driver, device or CUDA build. */
    public static int deviceCount() {
        return isCudaBuild() ? torch.cuda_device_count() : 0;
    }

    /** Whether the native libraries on the class path are those of the CUDA build; loads nothing. */
    public static boolean isCudaBuild() {
        return CudaRuntime.class.getResource("/org/bytedeco/pytorch/linux-x86_64-gpu/libtorch_cuda.so") != null;
    }

    /** Makes the device current for this thread, where NCCL and allocations without a device go. */
    static void use(Device device) {
        Native.use((byte) device.index());
    }

    /** Apart, so that the CUDA binding is loaded only when it is called. */
    private static final class Native {
        static void use(byte index) {
            torch_cuda.set_device(index);
        }
    }
}

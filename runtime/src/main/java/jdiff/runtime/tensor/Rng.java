package jdiff.runtime.tensor;

import jdiff.runtime.natives.Natives;
import org.bytedeco.pytorch.Generator;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.global.torch;

/** A generator of random numbers on the CPU, with the sequence of {@code torch.Generator("cpu").manual_seed(seed)}. */
public final class Rng implements AutoCloseable {
    static {
        Natives.ensure(); // before the first class of JavaCPP
    }

    private final Generator generator;

    /**
     * Starts the sequence of a seed.
     *
     * @param seed any 64-bit value
     */
    public Rng(long seed) {
        this.generator = torch.createCPUGenerator(seed);
    }

    /** Standard normal numbers, drawn in {@code dtype} in one call (libtorch's sequence depends on both). */
    public Tensor randn(DType dtype, long... shape) {
        return NativeOptions.with(dtype, Device.CPU, options -> {
            try (GeneratorOptional source = new GeneratorOptional(generator)) {
                return torch.randn(shape, source, options);
            }
        });
    }

    @Override
    public void close() {
        generator.close();
    }
}

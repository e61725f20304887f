package jdiff.runtime.tensor;

import static jdiff.runtime.tensor.TensorFailure.failure;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * A multi-dimensional array in native memory: one reference to shared storage, with the operations of {@code torch.Tensor} that
 * models need, under the names that they have there. Operations return new tensors; names that end in {@code _} change this one.
 * A failure is an {@link IllegalStateException} that names the operation and all shapes.
 *
 * <p>A tensor is freed by its {@link Scope}. Several threads may read one; who changes or frees it must be alone with what it
 * changes.
 */
public final class Tensor implements TensorGroup, Movable<Tensor> {
    private final org.bytedeco.pytorch.Tensor handle;
    private final long[] shape;
    private final DType dtype;

    /** The scope that frees this tensor; only {@link Scope} changes it. */
    @Nullable Scope owner;

    private Tensor(org.bytedeco.pytorch.Tensor handle) {
        this.handle = handle;
        this.shape = shapeOf(handle);
        this.dtype = ScalarTypes.of(handle.scalar_type());
        Scope.register(this);
    }

    /** Takes over a native tensor; for the packages that speak to libtorch. */
    public static Tensor wrap(org.bytedeco.pytorch.Tensor handle) {
        return new Tensor(handle);
    }

    /** The native tensor; for the packages that speak to libtorch. It stays owned by this object. */
    public org.bytedeco.pytorch.Tensor unwrap() {
        return handle;
    }

    // ---------------------------------------------------------------- making tensors

    /** Uninitialised. */
    public static Tensor empty(DType dtype, Device device, long... shape) {
        return NativeOptions.with(dtype, device, options -> torch.empty(shape, options, NativeOptions.ANY_FORMAT));
    }

    /**
     * uint8 [bytes] on the CPU: the file itself, mapped, so that its pages are shared with everybody who maps it. Writing changes
     * a private copy. A page that cannot be brought in, as of a file that was cut short, ends the process when libtorch touches it.
     */
    public static Tensor mapped(Path file, long bytes) {
        try (BoolOptional shared = new BoolOptional(false);
                LongOptional size = new LongOptional(bytes)) {
            return NativeOptions.with(
                    DType.U8, Device.CPU, options -> torch.from_file(file.toString(), shared, size, options));
        } catch (RuntimeException e) {
            throw failure("map " + file, e);
        }
    }

    /** Shape and dtype without memory. */
    public static Tensor meta(DType dtype, long... shape) {
        return empty(dtype, Device.META, shape);
    }

    public static Tensor zeros(DType dtype, Device device, long... shape) {
        return NativeOptions.with(dtype, device, options -> torch.zeros(shape, options));
    }

    public static Tensor full(double value, DType dtype, Device device, long... shape) {
        return NativeOptions.with(dtype, device, options -> {
            try (Scalar scalar = new Scalar(value)) {
                return torch.full(shape, scalar, options);
            }
        });
    }

    /** A 0-dim tensor on the CPU: in arithmetic it takes the dtype of the other operand. */
    public static Tensor scalar(double value, DType dtype) {
        return full(value, dtype, Device.CPU);
    }

    /** {@code start, start + 1, ..} below {@code end}. */
    public static Tensor arange(long start, long end, DType dtype, Device device) {
        return NativeOptions.with(dtype, device, options -> {
            try (Scalar from = new Scalar(start);
                    Scalar to = new Scalar(end)) {
                return torch.arange(from, to, options);
            }
        });
    }

    /** A float32 tensor on the CPU with the given values, row by row. */
    public static Tensor of(float[] values, long... shape) {
        Tensor tensor = empty(DType.F32, Device.CPU, shape);
        tensor.bytes().asFloatBuffer().put(values);
        return tensor;
    }

    /** An int64 tensor on the CPU with the given values, row by row. */
    public static Tensor of(long[] values, long... shape) {
        Tensor tensor = empty(DType.I64, Device.CPU, shape);
        tensor.bytes().asLongBuffer().put(values);
        return tensor;
    }

    /** Joins along an existing dimension. */
    public static Tensor cat(List<Tensor> tensors, int dim) {
        return joined("cat", tensors, vector -> torch.cat(vector, dim));
    }

    /** Joins along a new dimension. */
    public static Tensor stack(List<Tensor> tensors, int dim) {
        return joined("stack", tensors, vector -> torch.stack(vector, dim));
    }

    private static Tensor joined(
            String name, List<Tensor> tensors, Function<TensorVector, org.bytedeco.pytorch.Tensor> join) {
        try (TensorVector vector = new TensorVector()) {
            tensors.forEach(t -> vector.push_back(t.handle));
            return new Tensor(join.apply(vector));
        } catch (RuntimeException e) {
            throw failure(name, e, tensors.toArray(Tensor[]::new));
        }
    }

    // ---------------------------------------------------------------- description

    public DType dtype() {
        return dtype;
    }

    public Device device() {
        try (org.bytedeco.pytorch.Device device = handle.device()) {
            return Device.of(device);
        }
    }

    /** A copy of the shape. */
    public long[] shape() {
        return shape.clone();
    }

    /** Length of a dimension; negative ones count from the end. */
    public long size(int dim) {
        return shape[dim < 0 ? shape.length + dim : dim];
    }

    /** Number of dimensions. */
    public int dim() {
        return shape.length;
    }

    /** Number of elements. */
    public long numel() {
        long product = 1;
        for (long size : shape) {
            product *= size;
        }
        return product;
    }

    public boolean isContiguous() {
        return handle.is_contiguous();
    }

    // ---------------------------------------------------------------- shape

    public Tensor reshape(long... shape) {
        return op("reshape to " + Arrays.toString(shape), () -> handle.reshape(shape));
    }

    public Tensor view(long... shape) {
        return op("view as " + Arrays.toString(shape), () -> handle.view(shape));
    }

    /** The same bytes read as {@code dtype}: the last dimension changes with the size of the elements. */
    public Tensor view(DType dtype) {
        return op("view as " + dtype, () -> handle.view(ScalarTypes.of(dtype)));
    }

    public Tensor permute(long... dims) {
        return op("permute", () -> handle.permute(dims));
    }

    public Tensor transpose(int dim0, int dim1) {
        return op("transpose", () -> handle.transpose(dim0, dim1));
    }

    public Tensor contiguous() {
        return op("contiguous", () -> handle.contiguous());
    }

    /** {@code length} elements of {@code dim} from {@code start} on; shares memory. */
    public Tensor narrow(int dim, long start, long length) {
        return op("narrow", () -> handle.narrow(dim, start, length));
    }

    /** Elements of the same memory, wherever they lie: the first at {@code offset}, the next of each dimension its stride apart. */
    public Tensor asStrided(long[] shape, long[] strides, long offset) {
        return op("look with strides at", () -> {
            try (LongOptional first = new LongOptional(offset)) {
                return handle.as_strided(shape, strides, first);
            }
        });
    }

    /** One element of {@code dim}, which disappears; shares memory. */
    public Tensor select(int dim, long index) {
        return op("select", () -> handle.select(dim, index));
    }

    /** Every {@code step}-th element of {@code dim} from {@code start} on; shares memory. */
    public Tensor slice(int dim, long start, long step) {
        return op("slice", () -> {
            try (LongOptional from = new LongOptional(start);
                    LongOptional end = new LongOptional(Long.MAX_VALUE)) {
                return handle.slice(dim, from, end, step);
            }
        });
    }

    public Tensor unsqueeze(int dim) {
        return op("unsqueeze", () -> handle.unsqueeze(dim));
    }

    public Tensor squeeze(int dim) {
        return op("squeeze", () -> handle.squeeze(dim));
    }

    /** Each element of {@code dim} {@code times} times in a row. */
    public Tensor repeatInterleave(int dim, long times) {
        return op("repeat_interleave", () -> {
            try (LongOptional on = new LongOptional(dim);
                    LongOptional any = new LongOptional()) {
                return handle.repeat_interleave(times, on, any);
            }
        });
    }

    /** float32 [.., 2] as complex64 [..]: the last dimension is (real, imaginary); shares memory. */
    public Tensor viewAsComplex() {
        return op("view_as_complex", () -> torch.view_as_complex(handle));
    }

    /** complex64 [..] as float32 [.., 2]; shares memory. */
    public Tensor viewAsReal() {
        return op("view_as_real", () -> torch.view_as_real(handle));
    }

    // ---------------------------------------------------------------- dtype, device, copies

    /** This tensor if it has the dtype already, else a rounded copy (to nearest even). */
    public Tensor to(DType dtype) {
        return dtype == this.dtype ? this : op("to " + dtype, () -> handle.toType(ScalarTypes.of(dtype)));
    }

    /** This tensor if it lives there already, else a copy. */
    @Override
    public Tensor to(Device device) {
        if (device.equals(device())) {
            return this;
        }
        return op("to " + device, () -> {
            try (org.bytedeco.pytorch.Device target = device.toNative()) {
                return handle.to(target, ScalarTypes.of(dtype));
            }
        });
    }

    /** {@code clone} in PyTorch, a name that means something else in Java. */
    public Tensor copy() {
        return op("clone", () -> handle.clone());
    }

    /** Overwrites this tensor with {@code source}, cast to this dtype. */
    public Tensor copy_(Tensor source) {
        return inPlace("copy_", () -> handle.copy_(source.handle), source);
    }

    /** Adds {@code other}, cast to this dtype. */
    public Tensor add_(Tensor other) {
        return inPlace("add_", () -> handle.add_(other.handle), other);
    }

    public Tensor mul_(Tensor other) {
        return inPlace("mul_", () -> handle.mul_(other.handle), other);
    }

    /** Divides by {@code other}, in the wider of the two dtypes; the quotient is rounded to this dtype. */
    public Tensor div_(Tensor other) {
        return inPlace("div_", () -> handle.div_(other.handle), other);
    }

    // ---------------------------------------------------------------- arithmetic

    public Tensor add(Tensor other) {
        return op("add", () -> torch.add(handle, other.handle), other);
    }

    public Tensor add(double other) {
        return withScalar("add", other, s -> torch.add(handle, s));
    }

    public Tensor sub(Tensor other) {
        return op("sub", () -> torch.sub(handle, other.handle), other);
    }

    public Tensor mul(Tensor other) {
        return op("mul", () -> torch.mul(handle, other.handle), other);
    }

    public Tensor mul(double other) {
        return withScalar("mul", other, s -> torch.mul(handle, s));
    }

    public Tensor div(Tensor other) {
        return op("div", () -> torch.div(handle, other.handle), other);
    }

    public Tensor div(double other) {
        return withScalar("div", other, s -> torch.div(handle, s));
    }

    /** {@code this + a * b} in one pass. */
    public Tensor addcmul(Tensor a, Tensor b) {
        return op("addcmul", () -> torch.addcmul(handle, a.handle, b.handle), a, b);
    }

    public Tensor pow(double exponent) {
        return withScalar("pow", exponent, s -> torch.pow(handle, s));
    }

    public Tensor exp() {
        return op("exp", () -> handle.exp());
    }

    public Tensor cos() {
        return op("cos", () -> handle.cos());
    }

    public Tensor sin() {
        return op("sin", () -> handle.sin());
    }

    public Tensor neg() {
        return op("neg", () -> handle.neg());
    }

    public Tensor abs() {
        return op("abs", () -> handle.abs());
    }

    /** To the nearest integer, halves to even. */
    public Tensor round() {
        return op("round", () -> handle.round());
    }

    public Tensor clamp(double min, double max) {
        return op("clamp", () -> {
            try (Scalar low = new Scalar(min);
                    Scalar high = new Scalar(max);
                    ScalarOptional from = new ScalarOptional(low);
                    ScalarOptional to = new ScalarOptional(high)) {
                return torch.clamp(handle, from, to);
            }
        });
    }

    public Tensor clampMin(double min) {
        return withScalar("clamp_min", min, s -> torch.clamp_min(handle, s));
    }

    public Tensor matmul(Tensor other) {
        return op("matmul", () -> torch.matmul(handle, other.handle), other);
    }

    // ---------------------------------------------------------------- reductions

    /** Euclidean norm over one dimension, which stays with length 1. */
    public Tensor norm(int dim) {
        return op(
                "norm",
                () -> torch.linalg_vector_norm(
                        handle, NativeOptions.TWO, new long[] {dim}, true, NativeOptions.SAME_TYPE));
    }

    /** Euclidean norm over one dimension, which stays with length 1; computed and returned in {@code dtype}. */
    public Tensor norm(int dim, DType dtype) {
        return op("norm", () -> {
            try (ScalarTypeOptional type = new ScalarTypeOptional(ScalarTypes.of(dtype))) {
                return torch.linalg_vector_norm(handle, NativeOptions.TWO, new long[] {dim}, true, type);
            }
        });
    }

    public Tensor max() {
        return op("max", () -> handle.max());
    }

    public Tensor sum() {
        return op("sum", () -> torch.sum(handle));
    }

    // ---------------------------------------------------------------- values

    /** The only element. */
    public double item() {
        return handle.item_double();
    }

    /** Same shape, dtype and bits (NaN differs from itself). */
    public boolean equal(Tensor other) {
        return torch.equal(handle, other.handle);
    }

    /** All elements as float32, row by row. */
    public float[] toFloats() {
        float[] values = new float[Math.toIntExact(numel())];
        withBytes(DType.F32, buffer -> buffer.asFloatBuffer().get(values));
        return values;
    }

    /** All elements in this dtype as little-endian bytes, row by row. */
    public byte[] toBytes() {
        byte[] values = new byte[Math.toIntExact(numel() * dtype.sizeBytes())];
        withBytes(dtype, buffer -> buffer.get(values));
        return values;
    }

    private void withBytes(DType as, Consumer<ByteBuffer> reader) {
        Scope.tidy(() -> reader.accept(to(Device.CPU).to(as).contiguous().bytes()));
    }

    /**
     * A window of this tensor's own memory, little-endian, valid as long as the tensor is.
     *
     * @throws IllegalStateException if it is not a contiguous tensor on the CPU
     */
    public ByteBuffer buffer(long byteOffset, int length) {
        if (!handle.is_contiguous() || !handle.is_cpu()) {
            throw new IllegalStateException("only a contiguous tensor on the CPU has a buffer, not " + this);
        }
        if (byteOffset < 0 || length < 0 || byteOffset + length > numel() * dtype.sizeBytes()) {
            throw new IllegalArgumentException("bytes " + byteOffset + ".." + (byteOffset + length) + " of " + this);
        }
        if (length == 0) {
            return ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN);
        }
        Pointer data = handle.data_ptr();
        // A pointer of its own, not a position: a buffer's index is an int, and a tensor may be longer.
        BytePointer window = new BytePointer(data).getPointer(byteOffset).limit(length);
        return window.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    private ByteBuffer bytes() {
        return buffer(0, Math.toIntExact(numel() * dtype.sizeBytes()));
    }

    @Override
    public void forEachTensor(Consumer<Tensor> action) {
        action.accept(this);
    }

    /** For instance {@code float32[1, 35, 64]}. */
    @Override
    public String toString() {
        return dtype + Arrays.toString(shape);
    }

    // ---------------------------------------------------------------- plumbing

    void free() {
        owner = null;
        handle.close();
    }

    private Tensor op(String name, Supplier<org.bytedeco.pytorch.Tensor> call, Tensor... others) {
        try {
            return new Tensor(call.get());
        } catch (RuntimeException e) {
            throw failure(name, e, this, others);
        }
    }

    private Tensor withScalar(String name, double value, Function<Scalar, org.bytedeco.pytorch.Tensor> call) {
        return op(name, () -> {
            try (Scalar scalar = new Scalar(value)) {
                return call.apply(scalar);
            }
        });
    }

    Tensor inPlace(String name, Runnable call, Tensor... others) {
        try {
            call.run(); // libtorch gives back our own handle, which must stay open
            return this;
        } catch (RuntimeException e) {
            throw failure(name, e, this, others);
        }
    }

    private static long[] shapeOf(org.bytedeco.pytorch.Tensor handle) {
        long[] shape = new long[(int) handle.dim()];
        for (int i = 0; i < shape.length; i++) {
            shape[i] = handle.size(i);
        }
        return shape;
    }
}

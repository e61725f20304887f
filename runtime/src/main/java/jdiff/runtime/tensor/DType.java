package jdiff.runtime.tensor;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import jdiff.runtime.natives.Natives;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Element type of a tensor, with its size and its names in PyTorch and in safetensors files. */
public enum DType {
    F64("float64", 8, true, ScalarType.Double),
    F32("float32", 4, true, ScalarType.Float),
    F16("float16", 2, true, ScalarType.Half),
    BF16("bfloat16", 2, true, ScalarType.BFloat16),
    F8_E4M3("float8_e4m3fn", 1, true, ScalarType.Float8_e4m3fn),
    F8_E5M2("float8_e5m2", 1, true, ScalarType.Float8_e5m2),
    I64("int64", 8, false, ScalarType.Long),
    I32("int32", 4, false, ScalarType.Int),
    I16("int16", 2, false, ScalarType.Short),
    I8("int8", 1, false, ScalarType.Char),
    U8("uint8", 1, false, ScalarType.Byte),
    BOOL("bool", 1, false, ScalarType.Bool),
    C64("complex64", 8, false, ScalarType.ComplexFloat);

    static {
        Natives.ensure(); // before the first class of JavaCPP
    }

    private static final DType[] BY_CODE = byCode();

    private final String torchName;
    private final int sizeBytes;
    private final boolean floating;
    private final ScalarType scalarType;

    DType(String torchName, int sizeBytes, boolean floating, ScalarType scalarType) {
        this.torchName = torchName;
        this.sizeBytes = sizeBytes;
        this.floating = floating;
        this.scalarType = scalarType;
    }

    private static DType[] byCode() {
        DType[] table = new DType[64];
        for (DType dtype : values()) {
            table[dtype.scalarType.value] = dtype;
        }
        return table;
    }

    static DType of(ScalarType type) {
        DType dtype = type.value < BY_CODE.length ? BY_CODE[type.value] : null;
        if (dtype == null) {
            throw new IllegalStateException("libtorch element type " + type + " has no counterpart here");
        }
        return dtype;
    }

    /**
     * The floating type a user names: {@code float32}, {@code bfloat16}, {@code float16}, or {@code fp32}, {@code bf16},
     * {@code fp16}.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public static DType ofName(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "float32", "fp32" -> F32;
            case "bfloat16", "bf16" -> BF16;
            case "float16", "fp16" -> F16;
            default ->
                throw new IllegalArgumentException("dtype \"" + name + "\" is not known; use "
                        + Arrays.asList(F32, BF16, F16).stream()
                                .map(DType::torchName)
                                .collect(Collectors.joining(", ")));
        };
    }

    /** The name in PyTorch, for instance {@code bfloat16}. */
    public String torchName() {
        return torchName;
    }

    public int sizeBytes() {
        return sizeBytes;
    }

    public boolean isFloating() {
        return floating;
    }

    ScalarType scalarType() {
        return scalarType;
    }

    @Override
    public String toString() {
        return torchName;
    }
}

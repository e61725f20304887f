package jdiff.runtime.tensor;

import java.util.Locale;

/** Element type of a tensor, with its size and its name in PyTorch. */
public enum DType {
    F64("float64", 8, true),
    F32("float32", 4, true),
    F16("float16", 2, true),
    BF16("bfloat16", 2, true),
    F8_E4M3("float8_e4m3fn", 1, true),
    F8_E5M2("float8_e5m2", 1, true),
    I64("int64", 8, false),
    I32("int32", 4, false),
    I16("int16", 2, false),
    I8("int8", 1, false),
    U8("uint8", 1, false),
    BOOL("bool", 1, false),
    C64("complex64", 8, false);

    private final String torchName;
    private final int sizeBytes;
    private final boolean floating;

    DType(String torchName, int sizeBytes, boolean floating) {
        this.torchName = torchName;
        this.sizeBytes = sizeBytes;
        this.floating = floating;
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
                throw new IllegalArgumentException(
                        "dtype \"" + name + "\" is not known; use " + F32 + ", " + BF16 + ", " + F16);
        };
    }

    public int sizeBytes() {
        return sizeBytes;
    }

    public boolean isFloating() {
        return floating;
    }

    /** The name in PyTorch, for instance {@code bfloat16}. */
    @Override
    public String toString() {
        return torchName;
    }
}

package jdiff.runtime.safetensors;

import java.util.HashMap;
import java.util.Map;
import jdiff.runtime.tensor.DType;
import org.jspecify.annotations.Nullable;

/** Element types of the safetensors format, under the names that stand in its headers. */
public enum StoredType {
    BOOL(8),
    U8(8),
    I8(8),
    F8_E4M3(8),
    F8_E5M2(8),
    F8_E8M0(8),
    F8_E4M3FNUZ(8),
    F8_E5M2FNUZ(8),
    I16(16),
    U16(16),
    F16(16),
    BF16(16),
    I32(32),
    U32(32),
    F32(32),
    I64(64),
    U64(64),
    F64(64),
    C64(64),
    F4(4),
    F6_E2M3(6),
    F6_E3M2(6);

    private static final Map<String, StoredType> BY_NAME = new HashMap<>();

    static {
        for (StoredType type : values()) {
            BY_NAME.put(type.name(), type);
        }
    }

    private final int bits;

    StoredType(int bits) {
        this.bits = bits;
    }

    /** Bits per element. */
    public int bits() {
        return bits;
    }

    /** The element type that a tensor of it has in memory; null where this program cannot load it. */
    public @Nullable DType dtype() {
        return switch (this) {
            case BOOL -> DType.BOOL;
            case U8 -> DType.U8;
            case I8 -> DType.I8;
            case I16 -> DType.I16;
            case I32 -> DType.I32;
            case I64 -> DType.I64;
            case F16 -> DType.F16;
            case BF16 -> DType.BF16;
            case F32 -> DType.F32;
            case F64 -> DType.F64;
            case F8_E4M3 -> DType.F8_E4M3;
            case F8_E5M2 -> DType.F8_E5M2;
            default -> null;
        };
    }

    /** The type under which tensors of {@code dtype} are written. */
    public static StoredType of(DType dtype) {
        return switch (dtype) {
            case BOOL -> BOOL;
            case U8 -> U8;
            case I8 -> I8;
            case I16 -> I16;
            case I32 -> I32;
            case I64 -> I64;
            case F16 -> F16;
            case BF16 -> BF16;
            case F32 -> F32;
            case F64 -> F64;
            case F8_E4M3 -> F8_E4M3;
            case F8_E5M2 -> F8_E5M2;
            case C64 -> C64;
        };
    }

    static @Nullable StoredType named(String name) {
        return BY_NAME.get(name);
    }
}

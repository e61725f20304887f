package jdiff.runtime.weights;

import java.util.HashMap;
import java.util.Map;
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

    static @Nullable StoredType named(String name) {
        return BY_NAME.get(name);
    }
}

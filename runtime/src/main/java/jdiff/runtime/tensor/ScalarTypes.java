package jdiff.runtime.tensor;

import java.util.EnumMap;
import java.util.Map;
import jdiff.runtime.natives.Natives;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Our element types and libtorch's. Apart from {@link DType}, so that naming a dtype loads nothing native. */
final class ScalarTypes {
    static {
        Natives.ensure(); // before the first class of JavaCPP
    }

    private static final Map<DType, ScalarType> BY_DTYPE = new EnumMap<>(Map.ofEntries(
            Map.entry(DType.F64, ScalarType.Double),
            Map.entry(DType.F32, ScalarType.Float),
            Map.entry(DType.F16, ScalarType.Half),
            Map.entry(DType.BF16, ScalarType.BFloat16),
            Map.entry(DType.F8_E4M3, ScalarType.Float8_e4m3fn),
            Map.entry(DType.F8_E5M2, ScalarType.Float8_e5m2),
            Map.entry(DType.I64, ScalarType.Long),
            Map.entry(DType.I32, ScalarType.Int),
            Map.entry(DType.I16, ScalarType.Short),
            Map.entry(DType.I8, ScalarType.Char),
            Map.entry(DType.U8, ScalarType.Byte),
            Map.entry(DType.BOOL, ScalarType.Bool),
            Map.entry(DType.C64, ScalarType.ComplexFloat)));
    private static final DType[] BY_CODE = byCode();

    private ScalarTypes() {}

    private static DType[] byCode() {
        DType[] table = new DType[64];
        BY_DTYPE.forEach((dtype, type) -> table[type.value] = dtype);
        return table;
    }

    static ScalarType of(DType dtype) {
        ScalarType type = BY_DTYPE.get(dtype);
        if (type == null) {
            throw new IllegalStateException(dtype + " has no counterpart in libtorch");
        }
        return type;
    }

    static DType of(ScalarType type) {
        DType dtype = type.value < BY_CODE.length ? BY_CODE[type.value] : null;
        if (dtype == null) {
            throw new IllegalStateException("libtorch element type " + type + " has no counterpart here");
        }
        return dtype;
    }
}

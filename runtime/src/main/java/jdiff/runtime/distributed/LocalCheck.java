package jdiff.runtime.distributed;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import jdiff.runtime.distributed.ProcessGroup.Operation;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Tensor;

/** What can be seen to be wrong with a call without asking a peer. */
record LocalCheck(GroupId id) {
    private static final Set<DType> SUMMABLE =
            EnumSet.of(DType.F64, DType.F32, DType.F16, DType.BF16, DType.I64, DType.I32, DType.I8, DType.U8);

    /** Sums and broadcasts are typed in Gloo and NCCL; messages are bytes. */
    void dtype(Operation operation, Tensor x) {
        if (!SUMMABLE.contains(x.dtype())) {
            throw wrong(operation, x + ": this dtype is not supported, use one of " + SUMMABLE);
        }
    }

    void index(Operation operation, int index) {
        if (index < 0 || index >= id.size()) {
            throw wrong(operation, "index " + index + " is not in the group");
        }
    }

    void peer(Operation operation, int index) {
        index(operation, index);
        if (index == id.index()) {
            throw wrong(operation, "index " + index + " is this rank itself");
        }
    }

    /** Returns the dimension counted from the front. */
    int part(Operation operation, Tensor x, int dim, long[] lengths) {
        int front = dim < 0 ? x.dim() + dim : dim;
        if (lengths.length != id.size() || front < 0 || front >= x.dim() || x.size(front) != lengths[id.index()]) {
            throw wrong(
                    operation,
                    x + " along dim " + dim + " is not part " + id.index() + " of lengths " + Arrays.toString(lengths));
        }
        return front;
    }

    void parts(Operation operation, List<Tensor> parts, List<long[]> shapes) {
        if (parts.size() != id.size() || shapes.size() != id.size()) {
            throw wrong(
                    operation, parts.size() + " parts and " + shapes.size() + " shapes for " + id.size() + " ranks");
        }
        Tensor first = parts.get(0);
        for (Tensor part : parts) {
            if (part.dtype() != first.dtype() || !part.device().equals(first.device())) {
                throw wrong(operation, "parts differ in dtype or device: " + parts);
            }
        }
        Tensor own = parts.get(id.index());
        long[] expected = shapes.get(id.index());
        if (!Arrays.equals(own.shape(), expected)) {
            throw wrong(operation, own + " stays here, but " + Arrays.toString(expected) + " is expected");
        }
    }

    void buffers(Operation operation, Tensor out, Tensor in) {
        if (!out.isContiguous() || !in.isContiguous() || out.dtype() != in.dtype()) {
            throw wrong(operation, out + " for " + in + ": both must be contiguous and of one dtype");
        }
    }

    private IllegalArgumentException wrong(Operation operation, String what) {
        return new IllegalArgumentException(id.label() + " " + operation.word() + ": " + what);
    }
}

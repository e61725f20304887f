package jdiff.runtime.tensor;

import org.jspecify.annotations.Nullable;

/** Turns what libtorch throws into one line that names the operation and all shapes. */
final class TensorFailure {
    private TensorFailure() {}

    /** @param tensors operands; one that the call went without is null */
    static IllegalStateException failure(String operation, RuntimeException cause, @Nullable Tensor... tensors) {
        StringBuilder text = new StringBuilder(operation);
        String separator = " of ";
        for (@Nullable Tensor tensor : tensors) {
            if (tensor != null) {
                text.append(separator).append(tensor);
                separator = ", ";
            }
        }
        return new IllegalStateException(
                text.append(": ").append(firstLine(cause)).toString(), cause);
    }

    static IllegalStateException failure(String operation, RuntimeException cause, Tensor first, Tensor[] others) {
        Tensor[] all = new Tensor[others.length + 1];
        all[0] = first;
        System.arraycopy(others, 0, all, 1, others.length);
        return failure(operation, cause, all);
    }

    /** libtorch appends its C++ stack to the message. */
    private static String firstLine(RuntimeException cause) {
        String message = String.valueOf(cause.getMessage());
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}

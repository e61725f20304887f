package jdiff.launcher;

import java.io.IOException;
import java.util.Objects;

/** The launcher cannot start or go on. The message is for the user and is shown without a stack. */
public final class LaunchException extends IOException {
    private final Cause reason;

    public LaunchException(Cause reason, String message) {
        super(message);
        this.reason = Objects.requireNonNull(reason);
    }

    public LaunchException(Cause reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = Objects.requireNonNull(reason);
    }

    public Cause reason() {
        return reason;
    }
}

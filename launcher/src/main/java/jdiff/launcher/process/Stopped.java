package jdiff.launcher.process;

/** A stop signal came before any worker existed. */
final class Stopped extends Exception {
    private final String signal;

    Stopped(String signal) {
        super("stopped by SIG" + signal, null, false, false);
        this.signal = signal;
    }

    String signal() {
        return signal;
    }
}

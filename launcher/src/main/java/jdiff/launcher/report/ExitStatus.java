package jdiff.launcher.report;

/** How a process ended. The JDK reports a death by signal n as 128 + n. */
public record ExitStatus(int code) {
    private static final int LAST_SIGNAL = 64;

    /** The signal's number, or 0 if the process ended by itself. */
    public int signal() {
        int signal = code - Signals.BASE;
        return signal > 0 && signal <= LAST_SIGNAL ? signal : 0;
    }

    /** {@code exit code 7}, {@code signal 11 (SEGV)}. */
    public String describe() {
        int signal = signal();
        return signal == 0 ? "exit code " + code : "signal " + signal + " (" + Signals.name(signal) + ")";
    }

    /** The word for reports where nothing better is known. */
    public String word(boolean java, boolean outOfMemory) {
        return switch (signal()) {
            case 0 -> code == 3 && java ? "java-oom" : code >= 126 && code <= 127 ? "exec" : "error";
            case 4, 6, 7, 8, 11 -> "crash";
            case 9 -> outOfMemory ? "oom" : "killed";
            default -> "signal";
        };
    }
}

package jdiff.runtime.loading;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import jdiff.runtime.config.Shown;
import org.jspecify.annotations.Nullable;

/**
 * How a process reads its weights. No setting changes what is loaded, only how fast and through which memory.
 *
 * @param readers threads that read, from 1 to {@link #MAX_READERS}; those beyond one for each processor start when a disk is waited for
 * @param io how files are read
 * @param warmUp whether device memory is reserved in one piece before it is filled
 * @param localWorldSize processes of this node that load at the same time and share its memory and disks
 */
public record LoadSettings(int readers, WeightsIo io, boolean warmUp, int localWorldSize) {
    /** Most readers of one process. */
    public static final int MAX_READERS = 256;

    private static final String PARALLEL = "HF_ENABLE_PARALLEL_LOADING";
    private static final String WORKERS = "HF_PARALLEL_LOADING_WORKERS";
    private static final Set<String> YES = Set.of("1", "ON", "YES", "TRUE");
    private static final Set<String> NO = Set.of("0", "OFF", "NO", "FALSE", "");
    /** What the switch has always meant where no number is named; also more than one process can use by itself. */
    private static final int SWITCHED_ON = 8;
    /** While one waits for a disk others cast. A cold load was bound by the disk with four, by waiting with one. */
    private static final int PER_PROCESSOR = 4;

    public LoadSettings {
        if (readers < 1 || readers > MAX_READERS) {
            throw new IllegalArgumentException("wanted 1 to " + MAX_READERS + " loading workers, got " + readers);
        }
        if (localWorldSize < 1) {
            throw new IllegalArgumentException("wanted at least 1 process, got " + localWorldSize);
        }
    }

    /** What is best for a process alone on its node. */
    public static LoadSettings automatic() {
        return of(Map.of(), null, null);
    }

    /**
     * What options and environment ask for: HF_ENABLE_PARALLEL_LOADING and HF_PARALLEL_LOADING_WORKERS, spelt as in Hugging
     * Face's tools, and LOCAL_WORLD_SIZE. Nothing asked means parallel with four readers for each processor, at most 8.
     *
     * @param parallel stands before HF_ENABLE_PARALLEL_LOADING; null if not given
     * @param workers stands before HF_PARALLEL_LOADING_WORKERS; null if not given
     * @throws IllegalArgumentException naming the variable, its value and the accepted ones
     */
    public static LoadSettings of(
            Map<String, String> environment, @Nullable Boolean parallel, @Nullable Integer workers) {
        String size = environment.getOrDefault("LOCAL_WORLD_SIZE", "");
        // Whoever joins the job refuses a bad one.
        int processes = size.matches("[1-9][0-9]{0,5}") ? Integer.parseInt(size) : 1;
        // A worker of jdiff's launcher sees its share of the processors only.
        int sharing = environment.containsKey("JDIFF_LAUNCH_ID") ? 1 : processes;
        Boolean several = parallel == null ? switched(environment.get(PARALLEL)) : parallel;
        Integer named = workers == null ? parsed(environment.get(WORKERS)) : workers;
        int readers;
        if (several == null && named == null) {
            int processors = Runtime.getRuntime().availableProcessors();
            readers = Math.max(1, Math.min(SWITCHED_ON, PER_PROCESSOR * processors / sharing));
        } else if (several == null || several) {
            readers = named == null ? SWITCHED_ON : named;
        } else {
            readers = 1;
        }
        return new LoadSettings(readers, WeightsIo.AUTO, true, processes);
    }

    private static @Nullable Boolean switched(@Nullable String value) {
        if (value == null) {
            return null;
        }
        String word = value.strip().toUpperCase(Locale.ROOT);
        if (!YES.contains(word) && !NO.contains(word)) {
            throw new IllegalArgumentException(PARALLEL + "=" + Shown.cut(value, 80)
                    + " is neither yes (1, ON, YES, TRUE) nor no (0, OFF, NO, FALSE or empty)");
        }
        return YES.contains(word);
    }

    private static @Nullable Integer parsed(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String digits = text.strip();
        int value = digits.matches("[0-9]{1,6}") ? Integer.parseInt(digits) : 0;
        if (value < 1 || value > MAX_READERS) {
            throw new IllegalArgumentException(
                    WORKERS + "=" + Shown.cut(text, 80) + " is not a whole number from 1 to " + MAX_READERS);
        }
        return value;
    }

    public LoadSettings withReaders(int readers) {
        return new LoadSettings(readers, io, warmUp, localWorldSize);
    }

    public LoadSettings withIo(WeightsIo io) {
        return new LoadSettings(readers, io, warmUp, localWorldSize);
    }

    public LoadSettings withWarmUp(boolean warmUp) {
        return new LoadSettings(readers, io, warmUp, localWorldSize);
    }
}

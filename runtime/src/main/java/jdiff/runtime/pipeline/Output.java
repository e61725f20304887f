package jdiff.runtime.pipeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** One result of a request, in memory: a {@link Picture} or {@link Latents}. */
public sealed interface Output permits Picture, Latents {
    /** The seed that its noise came from. */
    long seed();

    /** Of the file, without the dot. */
    String extension();

    /**
     * Writes the file whole or not at all, with {@code metadata} inside.
     *
     * @throws IOException if it cannot be written; then no file of that name appears
     */
    void save(Path file, Map<String, String> metadata) throws IOException;

    /** Writes the file whole or not at all. */
    default void save(Path file) throws IOException {
        save(file, Map.of());
    }
}

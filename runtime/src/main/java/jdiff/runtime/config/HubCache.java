package jdiff.runtime.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * The local cache that the Hugging Face tools fill: {@code models--<owner>--<name>/{refs,snapshots,blobs}}. It lies at
 * HF_HUB_CACHE, else HF_HOME/hub, else {@code ~/.cache/huggingface/hub}. Nothing is downloaded.
 */
public final class HubCache {
    private static final int MAX_REF_BYTES = 4096;

    private HubCache() {}

    /** Whether {@code model} has the form {@code owner/name} of a hub id. */
    public static boolean isId(String model) {
        int slash = model.indexOf('/');
        return slash > 0
                && PlainName.isPlain(model.substring(0, slash))
                && PlainName.isPlain(model.substring(slash + 1));
    }

    /**
     * The snapshot folder of {@code id} that its {@code refs/main} names.
     *
     * @throws FaultException NO_INPUT naming the places searched, if it is not there
     */
    public static Path resolve(String id) throws FaultException {
        return resolve(id, System::getenv);
    }

    static Path resolve(String id, Function<String, @Nullable String> environment) throws FaultException {
        if (!isId(id)) {
            throw new IllegalArgumentException("\"" + Shown.cut(id, 200) + "\" is not a hub id of the form owner/name");
        }
        Path cache = root(environment);
        Path entry = cache.resolve("models--" + id.replace("/", "--"));
        Set<String> searched = new LinkedHashSet<>();
        searched.add(Path.of(id).toAbsolutePath().toString());
        Path ref = entry.resolve("refs").resolve("main");
        searched.add(ref.toString());
        if (Files.isRegularFile(ref)) {
            String commit = InputFile.text(ref, MAX_REF_BYTES).strip();
            if (!PlainName.isPlain(commit)) {
                throw new FaultException(
                        Fault.BAD_INPUT,
                        ref + ": wanted the name of a snapshot, found \"" + Shown.cut(commit, 80) + "\"");
            }
            Path snapshot = entry.resolve("snapshots").resolve(commit);
            if (Files.isDirectory(snapshot)) {
                return snapshot;
            }
            searched.add(snapshot.toString());
        }
        throw new FaultException(
                Fault.NO_INPUT,
                "no model " + id + ": neither a folder nor in the hub cache; searched " + String.join(", ", searched)
                        + ". jdiff downloads nothing yet: fetch it with `hf download " + id
                        + "`, or set HF_HUB_CACHE or HF_HOME to where it lies");
    }

    private static Path root(Function<String, @Nullable String> environment) {
        String cache = environment.apply("HF_HUB_CACHE");
        if (cache != null && !cache.isEmpty()) {
            return Path.of(cache);
        }
        String home = environment.apply("HF_HOME");
        if (home != null && !home.isEmpty()) {
            return Path.of(home, "hub");
        }
        String user = environment.apply("HOME");
        return Path.of(
                user == null || user.isEmpty() ? System.getProperty("user.home") : user,
                ".cache",
                "huggingface",
                "hub");
    }
}

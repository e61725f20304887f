package jdiff.runtime.tokenizer;

import ai.djl.huggingface.tokenizers.jni.CharSpan;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import jdiff.runtime.config.InputFile;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.config.Shown;
import jdiff.runtime.config.Utf8;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * Text to token ids, as the tokenizer folder says. Special tokens in the text are parsed; none are added, nothing is cut or
 * padded: that is the pipeline's business. Lives in native memory until it is closed; any thread may encode.
 */
public final class Tokenizer implements AutoCloseable {
    private static final TokenizersLibrary NATIVE = TokenizersLibrary.LIB;

    private final String name;
    private final Map<String, Integer> added = new HashMap<>();
    private final int size;
    private long handle;

    private Tokenizer(TokenizerJson json, long handle) {
        this.name = json.name();
        this.size = json.size();
        this.handle = handle;
        json.added().forEach(token -> added.put(token.content(), token.id()));
    }

    /** Opens a tokenizer folder: {@code tokenizer.json}, or {@code vocab.json} and {@code merges.txt} of a Qwen2Tokenizer. */
    public static Tokenizer open(Path folder) throws FaultException {
        return open(ModelFolder.open(folder));
    }

    /** As {@link #open(Path)}, for a component of a model. */
    public static Tokenizer open(ModelFolder folder) throws FaultException {
        TokenizerJson json;
        if (folder.has("tokenizer.json")) {
            Path file = folder.file("tokenizer.json");
            json = TokenizerJson.check(file.toString(), InputFile.text(file, JsonReader.LARGE));
        } else if (folder.has("vocab.json") && folder.has("merges.txt")) {
            json = Qwen2Json.build(folder);
        } else {
            throw new FaultException(
                    Fault.NO_INPUT,
                    folder
                            + ": no tokenizer: looked for tokenizer.json, or vocab.json with merges.txt; the folder holds "
                            + folder.holds());
        }
        TokenizerNatives.load();
        var tokenizer = new Tokenizer(json, create(json));
        try {
            tokenizer.requireAddedIds();
            return tokenizer;
        } catch (FaultException | RuntimeException e) {
            tokenizer.close();
            throw e;
        }
    }

    /** The ids of {@code text}. */
    public int[] encode(String text) {
        long encoding = encoding(text);
        try {
            long[] wide = NATIVE.getTokenIds(encoding);
            int[] ids = new int[wide.length];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = Math.toIntExact(wide[i]);
            }
            return ids;
        } finally {
            NATIVE.deleteEncoding(encoding);
        }
    }

    /**
     * The part of {@code text} that begins with token {@code first} of its encoding; empty if it has no more tokens than that.
     * It names what is lost when ids are cut.
     */
    public String textFrom(String text, int first) {
        long encoding = encoding(text);
        try {
            CharSpan[] spans = NATIVE.getTokenCharSpans(encoding);
            for (int i = first; i < spans.length; i++) {
                @Nullable CharSpan span = spans[i];
                if (span != null) {
                    return text.substring(text.offsetByCodePoints(0, span.getStart()));
                }
            }
            return "";
        } finally {
            NATIVE.deleteEncoding(encoding);
        }
    }

    /** The text of {@code ids}, special tokens included. */
    public String decode(int... ids) {
        long[] wide = new long[ids.length];
        for (int i = 0; i < ids.length; i++) {
            wide[i] = ids[i];
        }
        return NATIVE.decode(open(), wide, false);
    }

    /** One more than the largest id that {@link #encode} can give. */
    public int size() {
        return size;
    }

    /**
     * Refuses a tokenizer whose ids do not fit the table that a text encoder looks them up in.
     *
     * @param vocabSize rows of that table
     */
    public void requireFits(int vocabSize) throws FaultException {
        if (size > vocabSize) {
            throw new FaultException(
                    Fault.BAD_INPUT,
                    name + ": gives ids up to " + (size - 1) + ", the text encoder knows " + vocabSize
                            + " tokens; tokenizer and text encoder are of different models");
        }
    }

    @Override
    public synchronized void close() {
        if (handle != 0) {
            NATIVE.deleteTokenizer(handle);
            handle = 0;
        }
    }

    private static long create(TokenizerJson json) throws FaultException {
        try {
            long handle = NATIVE.createTokenizerFromString(json.text());
            // Files may ask for cutting and padding; both are decided by the pipeline.
            NATIVE.disableTruncation(handle);
            NATIVE.disablePadding(handle);
            return handle;
        } catch (RuntimeException e) {
            throw new FaultException(
                    Fault.BAD_INPUT,
                    json.name() + ": not a tokenizer: " + Shown.cut(String.valueOf(e.getMessage()), 300),
                    e);
        }
    }

    /** The library numbers added tokens by itself, so each is checked against the id that its file gives. */
    private void requireAddedIds() throws FaultException {
        for (Map.Entry<String, Integer> token : added.entrySet()) {
            int[] ids = encode(token.getKey());
            if (ids.length != 1 || ids[0] != token.getValue()) {
                throw new FaultException(
                        Fault.BAD_INPUT,
                        name + ": added token " + Shown.cut(token.getKey(), 80) + " should have the id "
                                + token.getValue() + ", but its place in the files gives "
                                + (ids.length == 1 ? ids[0] : ids.length + " tokens"));
            }
        }
    }

    private long encoding(String text) {
        int lone = Utf8.loneSurrogate(text);
        if (lone >= 0) {
            throw new IllegalArgumentException("the text has a lone surrogate at character " + lone);
        }
        return NATIVE.encode(open(), text, false);
    }

    private long open() {
        if (handle == 0) {
            throw new IllegalStateException("the tokenizer was closed");
        }
        return handle;
    }
}

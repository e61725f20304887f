package jdiff.runtime.tokenizer;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdiff.runtime.config.InputFile;
import jdiff.runtime.config.Json;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/**
 * Builds the {@code tokenizer.json} of a Qwen2Tokenizer from the files that published folders have instead: {@code vocab.json},
 * {@code merges.txt}, and added tokens in {@code added_tokens.json} or {@code tokenizer_config.json}. NFC, byte-level BPE, no
 * prefix space; the split pattern is that of Transformers' {@code tokenization_qwen2}.
 */
final class Qwen2Json {
    private static final String SPLIT = "(?i:'s|'t|'re|'ve|'m|'ll|'d)" // contractions
            + "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+" // letters, with one sign before them
            + "|\\p{N}" // single digits
            + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*" // punctuation, with the newlines after it
            + "|\\s*[\\r\\n]+" // newlines
            + "|\\s+(?!\\S)|\\s+"; // spaces, leaving the last one to the word behind them

    private Qwen2Json() {}

    static TokenizerJson build(ModelFolder folder) throws FaultException {
        Path vocabFile = folder.file("vocab.json");
        var vocabulary = new Vocabulary();
        Map<String, Integer> vocab = vocab(vocabFile, vocabulary);
        List<String> merges = merges(folder.file("merges.txt"), vocab);
        Map<Integer, AddedToken> added = new TreeMap<>();
        if (folder.has("added_tokens.json")) {
            plain(JsonReader.open(folder.file("added_tokens.json"), JsonReader.LARGE), added);
        }
        if (folder.has("tokenizer_config.json")) {
            // Read last: it has the flags of each token, too.
            decoder(JsonReader.open(folder.file("tokenizer_config.json"), JsonReader.LARGE), added);
        }
        added.keySet().forEach(vocabulary::note);
        String text = Json.write(out -> write(out, vocab, merges, added));
        return new TokenizerJson(vocabFile.toString(), text, List.copyOf(added.values()), vocabulary.size());
    }

    private static Map<String, Integer> vocab(Path file, Vocabulary vocabulary) throws FaultException {
        JsonReader in = JsonReader.open(file, JsonReader.LARGE);
        var vocab = new LinkedHashMap<String, Integer>();
        in.expect(JsonToken.START_OBJECT, "an object of tokens and ids");
        while (in.more()) {
            String token = in.text();
            vocab.put(token, vocabulary.add(in, token));
        }
        in.end();
        if (vocab.isEmpty()) {
            throw in.error("the vocabulary is empty");
        }
        return vocab;
    }

    /** Lines of two tokens; a first line {@code #version: ..} is a header, blank lines are skipped. */
    private static List<String> merges(Path file, Map<String, Integer> vocab) throws FaultException {
        var merges = new ArrayList<String>();
        String text = InputFile.text(file, JsonReader.LARGE);
        int number = 0;
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf('\n', start);
            end = end < 0 ? text.length() : end;
            String line = text.substring(start, end).strip();
            start = end + 1;
            number++;
            if (line.isEmpty() || (number == 1 && line.startsWith("#version"))) {
                continue;
            }
            int space = line.indexOf(' ');
            String left = space < 0 ? line : line.substring(0, space);
            String right = space < 0 ? "" : line.substring(space + 1);
            if (right.isEmpty() || right.indexOf(' ') >= 0) {
                throw new FaultException(
                        Fault.BAD_INPUT,
                        file + ":" + number + ":1: wanted two tokens with one space between them, found \""
                                + Shown.cut(line, 80) + "\"");
            }
            if (!vocab.containsKey(left) || !vocab.containsKey(right) || !vocab.containsKey(left + right)) {
                throw new FaultException(
                        Fault.BAD_INPUT,
                        file + ":" + number + ":1: the merge \"" + Shown.cut(line, 80)
                                + "\" uses or makes a token that vocab.json lacks");
            }
            merges.add(line);
        }
        return merges;
    }

    /** {@code added_tokens.json}: text to id. */
    private static void plain(JsonReader in, Map<Integer, AddedToken> added) throws FaultException {
        in.expect(JsonToken.START_OBJECT, "an object of tokens and ids");
        while (in.more()) {
            String content = in.text();
            int id = in.count("the id of added token \"" + Shown.cut(content, 80) + "\"", Vocabulary.MAX_ID);
            if (content.isEmpty() || added.put(id, AddedToken.plain(id, content)) != null) {
                throw in.error("the id " + id + " is given to two added tokens, or its token is empty");
            }
        }
        in.end();
    }

    /** {@code added_tokens_decoder} of {@code tokenizer_config.json}: id to token with flags. */
    private static void decoder(JsonReader in, Map<Integer, AddedToken> added) throws FaultException {
        in.expect(JsonToken.START_OBJECT, "an object");
        while (in.more()) {
            if (!in.text().equals("added_tokens_decoder")) {
                in.skipNext();
                continue;
            }
            in.expect(JsonToken.START_OBJECT, "an object of ids and tokens");
            while (in.more()) {
                int id = id(in);
                in.expect(JsonToken.START_OBJECT, "an added token");
                added.put(id, Vocabulary.addedToken(in, id));
            }
        }
        in.end();
    }

    private static int id(JsonReader in) throws FaultException {
        String key = in.text();
        try {
            int id = Integer.parseInt(key);
            if (id >= 0 && id <= Vocabulary.MAX_ID) {
                return id;
            }
        } catch (NumberFormatException e) {
            throw in.error("wanted an id as key, found \"" + Shown.cut(key, 80) + "\"");
        }
        throw in.error("wanted an id from 0 to " + Vocabulary.MAX_ID + ", found " + Shown.cut(key, 80));
    }

    private static void write(
            JsonGenerator out, Map<String, Integer> vocab, List<String> merges, Map<Integer, AddedToken> added)
            throws IOException {
        out.writeStartObject();
        out.writeStringField("version", "1.0");
        out.writeArrayFieldStart("added_tokens");
        // In the order of ids: the library numbers tokens that the vocabulary lacks in the order in which it meets
        // them.
        for (AddedToken token : added.values()) {
            out.writeStartObject();
            out.writeNumberField("id", token.id());
            out.writeStringField("content", token.content());
            out.writeBooleanField("single_word", token.singleWord());
            out.writeBooleanField("lstrip", token.lstrip());
            out.writeBooleanField("rstrip", token.rstrip());
            out.writeBooleanField("normalized", token.normalized());
            out.writeBooleanField("special", token.special());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeObjectFieldStart("normalizer");
        out.writeStringField("type", "NFC");
        out.writeEndObject();
        out.writeObjectFieldStart("pre_tokenizer");
        out.writeStringField("type", "Sequence");
        out.writeArrayFieldStart("pretokenizers");
        out.writeStartObject();
        out.writeStringField("type", "Split");
        out.writeObjectFieldStart("pattern");
        out.writeStringField("Regex", SPLIT);
        out.writeEndObject();
        out.writeStringField("behavior", "Isolated");
        out.writeBooleanField("invert", false);
        out.writeEndObject();
        byteLevel(out, false);
        out.writeEndArray();
        out.writeEndObject();
        out.writeFieldName("decoder");
        byteLevel(out, true);
        out.writeObjectFieldStart("model");
        out.writeStringField("type", "BPE");
        out.writeObjectFieldStart("vocab");
        for (Map.Entry<String, Integer> entry : vocab.entrySet()) {
            out.writeNumberField(entry.getKey(), entry.getValue());
        }
        out.writeEndObject();
        out.writeArrayFieldStart("merges");
        for (String merge : merges) {
            out.writeString(merge);
        }
        out.writeEndArray();
        out.writeEndObject();
        out.writeEndObject();
    }

    private static void byteLevel(JsonGenerator out, boolean regex) throws IOException {
        out.writeStartObject();
        out.writeStringField("type", "ByteLevel");
        out.writeBooleanField("add_prefix_space", false);
        out.writeBooleanField("trim_offsets", true);
        out.writeBooleanField("use_regex", regex);
        out.writeEndObject();
    }
}

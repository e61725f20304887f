package jdiff.runtime.tokenizer;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.FaultException;

/**
 * What the native library gets: the text of a {@code tokenizer.json}, and the added tokens that it declares.
 *
 * @param name the file that it came from, for messages
 * @param size one more than the largest id
 */
record TokenizerJson(String name, String text, List<AddedToken> added, int size) {

    /**
     * Checks a {@code tokenizer.json}: strict JSON, ids in range and unique, and no regular expression outside
     * {@link KnownPatterns}.
     */
    static TokenizerJson check(String name, String text) throws FaultException {
        JsonReader in = JsonReader.of(name, text);
        var vocabulary = new Vocabulary();
        List<AddedToken> added = List.of();
        boolean model = false;
        in.expect(JsonToken.START_OBJECT, "a tokenizer object");
        while (in.more()) {
            switch (in.text()) {
                case "model" -> {
                    model(in, vocabulary);
                    model = true;
                }
                case "added_tokens" -> added = added(in);
                default -> requireKnownPatterns(in, in.next());
            }
        }
        in.end();
        if (!model || vocabulary.size() == 0) {
            throw in.error("the tokenizer has no model with a vocabulary");
        }
        added.forEach(token -> vocabulary.note(token.id()));
        return new TokenizerJson(name, text, List.copyOf(added), vocabulary.size());
    }

    private static void model(JsonReader in, Vocabulary vocabulary) throws FaultException {
        in.expect(JsonToken.START_OBJECT, "the model to be an object");
        while (in.more()) {
            if (!in.text().equals("vocab")) {
                requireKnownPatterns(in, in.next());
                continue;
            }
            JsonToken open = in.next();
            if (open == JsonToken.START_OBJECT) {
                while (in.more()) {
                    vocabulary.add(in, in.text());
                }
            } else if (open == JsonToken.START_ARRAY) {
                while (in.more()) {
                    vocabulary.addNext(in);
                    in.skipCurrent();
                }
            } else {
                throw in.error("wanted the vocabulary to be an object or a list");
            }
        }
    }

    private static List<AddedToken> added(JsonReader in) throws FaultException {
        in.expect(JsonToken.START_ARRAY, "added_tokens to be a list");
        var added = new ArrayList<AddedToken>();
        while (in.more()) {
            added.add(Vocabulary.addedToken(in, -1));
        }
        return added;
    }

    /** Walks the value whose first token is {@code token}. */
    private static void requireKnownPatterns(JsonReader in, JsonToken token) throws FaultException {
        if (token == JsonToken.START_ARRAY) {
            for (JsonToken item = in.next(); item != JsonToken.END_ARRAY; item = in.next()) {
                requireKnownPatterns(in, item);
            }
        } else if (token == JsonToken.START_OBJECT) {
            while (in.more()) {
                boolean regex = in.text().equals("Regex");
                JsonToken value = in.next();
                if (regex && (value != JsonToken.VALUE_STRING || !KnownPatterns.isKnown(in.text()))) {
                    throw in.error("unknown pattern " + Shown.cut(in.text(), 200)
                            + "; jdiff runs only the patterns of tokenizers that it knows");
                }
                requireKnownPatterns(in, value);
            }
        }
    }
}

package jdiff.runtime.tokenizer;

import com.fasterxml.jackson.core.JsonToken;
import java.util.BitSet;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.FaultException;

/** Ids that a tokenizer's files give: each once, and none so large that a table of them would not fit. */
final class Vocabulary {
    /** Largest id; the largest published vocabularies have about 260,000 tokens. */
    static final int MAX_ID = (1 << 22) - 1;

    private final BitSet ids = new BitSet();

    /** Reads an id at the next value and notes it. */
    int add(JsonReader in, String token) throws FaultException {
        int id = in.count("the id of token \"" + Shown.cut(token, 80) + "\"", MAX_ID);
        if (ids.get(id)) {
            throw in.error(
                    "the id " + id + " of token \"" + Shown.cut(token, 80) + "\" is given to another token already");
        }
        ids.set(id);
        return id;
    }

    /** A piece of a list vocabulary: its id is its place. */
    void addNext(JsonReader in) throws FaultException {
        int id = ids.length();
        if (id > MAX_ID) {
            throw in.error("more than " + (MAX_ID + 1) + " tokens");
        }
        ids.set(id);
    }

    void note(int id) {
        ids.set(id);
    }

    /** One more than the largest id. */
    int size() {
        return ids.length();
    }

    /** Reads the flags of an added token; the current token is its opening brace. {@code id} is -1 where the object has it. */
    static AddedToken addedToken(JsonReader in, int id) throws FaultException {
        String content = null;
        boolean[] flags = new boolean[5];
        int found = id;
        while (in.more()) {
            String key = in.text();
            switch (key) {
                case "content" -> content = in.string("the text of an added token");
                case "id" -> found = in.count("the id of an added token", MAX_ID);
                case "single_word" -> flags[0] = flag(in);
                case "lstrip" -> flags[1] = flag(in);
                case "rstrip" -> flags[2] = flag(in);
                case "normalized" -> flags[3] = flag(in);
                case "special" -> flags[4] = flag(in);
                default -> in.skipNext();
            }
        }
        if (content == null || content.isEmpty() || found < 0) {
            throw in.error("wanted an added token with content and id");
        }
        return new AddedToken(found, content, flags[0], flags[1], flags[2], flags[3], flags[4]);
    }

    private static boolean flag(JsonReader in) throws FaultException {
        return in.next() == JsonToken.VALUE_TRUE;
    }
}

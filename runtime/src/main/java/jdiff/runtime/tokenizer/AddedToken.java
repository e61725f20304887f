package jdiff.runtime.tokenizer;

/** A token that is cut out of the text before it is split: its text and the flags of the tokenizer library. */
record AddedToken(
        int id,
        String content,
        boolean singleWord,
        boolean lstrip,
        boolean rstrip,
        boolean normalized,
        boolean special) {

    /** A token of which a file tells only text and id. */
    static AddedToken plain(int id, String content) {
        return new AddedToken(id, content, false, false, false, false, true);
    }
}

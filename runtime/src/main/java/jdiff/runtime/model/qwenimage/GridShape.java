package jdiff.runtime.model.qwenimage;

/** Tokens of one picture or clip: frames, rows and columns. */
public record GridShape(int frames, int rows, int columns) {
    public int numTokens() {
        return frames * rows * columns;
    }
}

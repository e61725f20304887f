package jdiff.runtime.pipeline;

/** What a pipeline returns and what its file is. */
public enum OutputType {
    PNG("png", "png"),
    LATENT("latent", "safetensors");

    private final String word;
    private final String extension;

    OutputType(String word, String extension) {
        this.word = word;
        this.extension = extension;
    }

    /** As Diffusers' {@code output_type}. */
    public String word() {
        return word;
    }

    /** Of the file, without the dot. */
    public String extension() {
        return extension;
    }

    @Override
    public String toString() {
        return word;
    }
}

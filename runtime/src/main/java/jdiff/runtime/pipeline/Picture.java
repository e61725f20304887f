package jdiff.runtime.pipeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import jdiff.runtime.image.AtomicFile;
import jdiff.runtime.image.PngCheck;
import jdiff.runtime.image.PngWriter;

/**
 * A finished picture.
 *
 * @param rgb 8-bit red, green, blue of each pixel, row by row
 */
public record Picture(long seed, int height, int width, byte[] rgb) implements Output {
    public Picture {
        if (rgb.length != 3 * height * width) {
            throw new IllegalArgumentException(rgb.length + " bytes are not " + height + " x " + width + " RGB pixels");
        }
    }

    @Override
    public String extension() {
        return OutputType.PNG.extension();
    }

    @Override
    public void save(Path file, Map<String, String> metadata) throws IOException {
        byte[] png = PngWriter.encode(rgb, height, width, metadata);
        AtomicFile.write(file, out -> out.write(png), PngCheck::verify);
    }
}

package jdiff.runtime.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PngWriterTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 7", "5, 1", "64, 48", "33, 129"})
    void another_decoder_reads_the_same_pixels(int height, int width) throws IOException {
        for (byte[] rgb : new byte[][] {noise(height, width), gradient(height, width)}) {
            BufferedImage image =
                    ImageIO.read(new ByteArrayInputStream(PngWriter.encode(rgb, height, width, Map.of())));
            assertThat(image.getHeight()).isEqualTo(height);
            assertThat(image.getWidth()).isEqualTo(width);
            for (int i = 0; i < height * width; i++) {
                int pixel = image.getRGB(i % width, i / width) & 0xffffff;
                int expected = (rgb[3 * i] & 0xff) << 16 | (rgb[3 * i + 1] & 0xff) << 8 | (rgb[3 * i + 2] & 0xff);
                assertThat(pixel).isEqualTo(expected);
            }
        }
    }

    @Test
    void the_same_picture_gives_the_same_bytes_and_smooth_ones_are_small() {
        byte[] rgb = gradient(64, 64);
        byte[] png = PngWriter.encode(rgb, 64, 64, Map.of("seed", "7"));
        assertThat(png).isEqualTo(PngWriter.encode(rgb, 64, 64, Map.of("seed", "7")));
        assertThat(png.length).isLessThan(rgb.length / 10);
    }

    @Test
    void text_is_embedded_in_plain_or_international_form() {
        byte[] png = PngWriter.encode(new byte[3], 1, 1, Map.of("seed", "42"));
        assertThat(new String(png, StandardCharsets.ISO_8859_1)).contains("tEXtseed\0" + "42");
        png = PngWriter.encode(new byte[3], 1, 1, Map.of("prompt", "猫"));
        assertThat(new String(png, StandardCharsets.UTF_8)).contains("iTXtprompt\0\0\0\0\0猫");
        assertThatThrownBy(() -> PngWriter.encode(new byte[3], 1, 1, Map.of("é", "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no keyword");
        assertThatThrownBy(() -> PngWriter.encode(new byte[4], 1, 1, Map.of()))
                .hasMessageContaining("a picture of 1 x 1 has no 4 bytes of RGB");
    }

    @Test
    void a_file_is_there_whole_and_nothing_beside_it() throws IOException {
        Path file = dir.resolve("a.png");
        Files.writeString(file, "old");
        byte[] png = PngWriter.encode(noise(9, 9), 9, 9, Map.of());
        AtomicFile.write(file, out -> out.write(png), PngCheck::verify);
        assertThat(file).hasBinaryContent(png);
        assertOnly(file);
    }

    @Test
    void damage_is_found_anywhere() throws IOException {
        Path file = dir.resolve("a.png");
        byte[] png = PngWriter.encode(noise(4, 4), 4, 4, Map.of("k", "v"));
        for (int i = 0; i < png.length; i++) {
            byte[] damaged = png.clone();
            damaged[i] ^= 4;
            Files.write(file, damaged);
            assertThatThrownBy(() -> PngCheck.verify(file)).as("byte " + i).isInstanceOf(IOException.class);
            Files.write(file, Arrays.copyOf(png, i));
            assertThatThrownBy(() -> PngCheck.verify(file)).as("cut at " + i).isInstanceOf(IOException.class);
        }
        Files.write(file, Arrays.copyOf(png, png.length + 1));
        assertThatThrownBy(() -> PngCheck.verify(file)).hasMessageContaining("goes on behind the end");
    }

    @Test
    void a_write_that_fails_leaves_the_old_file_and_no_temporary_one() throws IOException {
        Path file = dir.resolve("a.txt");
        Files.writeString(file, "old");
        assertThatThrownBy(() -> AtomicFile.write(
                        file,
                        out -> {
                            out.write(1);
                            throw new IOException("No space left on device");
                        },
                        AtomicFile.UNCHECKED))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.OUTPUT))
                .hasMessageContaining(file + " cannot be written: No space left on device; ")
                .hasMessageContaining("bytes free there");
        assertThat(file).hasContent("old");
        assertThatThrownBy(() -> AtomicFile.write(file, out -> out.write(1), PngCheck::verify))
                .hasMessageContaining("ends in the middle of the PNG");
        assertOnly(file);
    }

    @Test
    void a_folder_is_probed_before_work_begins() throws IOException {
        AtomicFile.probe(dir);
        try (Stream<Path> files = Files.list(dir)) {
            assertThat(files).isEmpty();
        }
        assertThatThrownBy(() -> AtomicFile.probe(dir.resolve("none")))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.OUTPUT))
                .hasMessageContaining("the folder does not exist");
    }

    private void assertOnly(Path file) throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            assertThat(files).containsExactly(file);
        }
    }

    private static byte[] noise(int height, int width) {
        byte[] rgb = new byte[3 * height * width];
        new Random(5).nextBytes(rgb);
        return rgb;
    }

    private static byte[] gradient(int height, int width) {
        byte[] rgb = new byte[3 * height * width];
        for (int i = 0; i < rgb.length; i++) {
            rgb[i] = (byte) (i / 3 % width + i / 3 / width);
        }
        return rgb;
    }
}

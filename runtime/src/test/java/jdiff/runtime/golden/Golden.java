package jdiff.runtime.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.safetensors.TensorEntry;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Tensor;

/** Reference tensors that Diffusers computed, and the two measures by which they are compared. */
public final class Golden {
    private static final Path ROOT = Path.of("src/test/resources/golden");

    private final SafetensorsFile file;

    private Golden(SafetensorsFile file) {
        this.file = file;
    }

    public static Path path(String name) {
        return ROOT.resolve(name);
    }

    public static Golden open(String name) throws IOException {
        return new Golden(SafetensorsFile.open(path(name)));
    }

    public boolean has(String name) {
        return file.entries().containsKey(name);
    }

    public Set<String> names() {
        return new TreeSet<>(file.entries().keySet());
    }

    /** Reads without the loader under test: one plain read. */
    public Tensor tensor(String name) {
        TensorEntry entry = file.entries().get(name);
        if (entry == null) {
            throw new IllegalArgumentException(name + " is not in " + file.path() + ": " + names());
        }
        Tensor tensor = Tensor.empty(dtype(entry), Device.CPU, entry.shape());
        try (FileChannel channel = FileChannel.open(file.path())) {
            ByteBuffer data = tensor.buffer(0, (int) entry.bytes());
            while (data.hasRemaining()) {
                channel.read(data, entry.begin() + data.position());
            }
            return tensor;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static DType dtype(TensorEntry entry) {
        return switch (entry.type()) {
            case F64 -> DType.F64;
            case F32 -> DType.F32;
            case BF16 -> DType.BF16;
            case I64 -> DType.I64;
            case U8 -> DType.U8;
            case BOOL -> DType.BOOL;
            default -> throw new IllegalArgumentException(entry.toString());
        };
    }

    /** largest = max |x - e| / rms(e); rms = rms(x - e) / rms(e); over the whole tensor. */
    public record Distance(double largest, double rms) {}

    public static Distance distance(Tensor actual, Tensor expected) {
        assertThat(actual.shape()).isEqualTo(expected.shape());
        float[] x = actual.toFloats();
        float[] e = expected.toFloats();
        double largest = 0;
        double sumDifference = 0;
        double sumExpected = 0;
        for (int i = 0; i < e.length; i++) {
            double difference = Math.abs((double) x[i] - e[i]);
            if (Double.isNaN(difference)) {
                return new Distance(Double.NaN, Double.NaN);
            }
            largest = Math.max(largest, difference);
            sumDifference += difference * difference;
            sumExpected += (double) e[i] * e[i];
        }
        double rms = Math.sqrt(sumExpected / e.length);
        return new Distance(largest / rms, Math.sqrt(sumDifference / e.length) / rms);
    }

    /** The tolerance of golden's README for one kind of tensor. */
    public static void assertWithin(double largest, double rms, Tensor actual, Tensor expected, String what) {
        Distance distance = distance(actual, expected);
        assertThat(distance.largest()).as(what + ", largest").isLessThanOrEqualTo(largest);
        assertThat(distance.rms()).as(what + ", rms").isLessThanOrEqualTo(rms);
    }

    /** Peak signal-to-noise ratio of 8-bit pictures in dB. */
    public static double psnr(byte[] actual, byte[] expected) {
        assertThat(actual).hasSameSizeAs(expected);
        double sum = 0;
        for (int i = 0; i < actual.length; i++) {
            double difference = (actual[i] & 0xff) - (expected[i] & 0xff);
            sum += difference * difference;
        }
        return 10 * Math.log10(255.0 * 255.0 / (sum / actual.length));
    }

    /** At most one level off on at most {@code share} of the values. */
    public static void assertOneLevel(byte[] actual, byte[] expected, double share) {
        assertThat(actual).hasSameSizeAs(expected);
        int different = 0;
        for (int i = 0; i < actual.length; i++) {
            int difference = Math.abs((actual[i] & 0xff) - (expected[i] & 0xff));
            assertThat(difference).as("levels at byte " + i).isLessThanOrEqualTo(1);
            different += difference;
        }
        assertThat((double) different / actual.length)
                .as("share of changed values")
                .isLessThanOrEqualTo(share);
    }

    /** Part i of a tensor whose first dimension counts pictures. */
    public static byte[] picture(Tensor images, int i) {
        byte[] all = images.toBytes();
        int size = all.length / (int) images.size(0);
        return Arrays.copyOfRange(all, i * size, (i + 1) * size);
    }
}

package jdiff.runtime.image;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Pictures as PNG: 8-bit RGB, no interlacing, the same bytes for the same picture and text. Why not ImageIO:
 * {@code runtime/docs/decisions/005-png.md}.
 */
public final class PngWriter {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final int CHANNELS = 3;
    private static final int LEVEL = 6;

    private PngWriter() {}

    /**
     * The bytes of the PNG file.
     *
     * @param rgb red, green, blue of each pixel, row by row
     * @param text keywords and texts to embed; keywords are 1 to 79 printable ASCII characters
     */
    public static byte[] encode(byte[] rgb, int height, int width, Map<String, String> text) {
        if (height < 1 || width < 1 || rgb.length != (long) CHANNELS * height * width) {
            throw new IllegalArgumentException(
                    "a picture of " + height + " x " + width + " has no " + rgb.length + " bytes of RGB");
        }
        var out = new ByteArrayOutputStream(rgb.length / 2 + 1024);
        out.writeBytes(SIGNATURE);
        chunk(out, "IHDR", header(height, width));
        for (Map.Entry<String, String> entry : text.entrySet()) {
            text(out, entry.getKey(), entry.getValue());
        }
        chunk(out, "IDAT", deflated(filtered(rgb, height, width * CHANNELS)));
        chunk(out, "IEND", new byte[0]);
        return out.toByteArray();
    }

    private static byte[] header(int height, int width) {
        byte bitsPerChannel = 8;
        byte trueColour = 2;
        return ByteBuffer.allocate(13)
                .putInt(width)
                .putInt(height)
                .put(bitsPerChannel)
                .put(trueColour)
                .put((byte) 0) // deflate
                .put((byte) 0) // one filter per row
                .put((byte) 0) // not interlaced
                .array();
    }

    /** tEXt for ASCII, iTXt (UTF-8, not compressed, no language) for the rest. */
    private static void text(ByteArrayOutputStream out, String keyword, String text) {
        if (keyword.isEmpty() || keyword.length() > 79 || !isPrintable(keyword)) {
            throw new IllegalArgumentException("\"" + keyword + "\" is no keyword for text in a PNG");
        }
        var data = new ByteArrayOutputStream();
        data.writeBytes(keyword.getBytes(StandardCharsets.US_ASCII));
        data.write(0);
        boolean ascii = isAscii(text);
        if (!ascii) {
            data.write(0); // not compressed
            data.write(0); // method, of no meaning then
            data.write(0); // no language
            data.write(0); // no translated keyword
        }
        data.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        chunk(out, ascii ? "tEXt" : "iTXt", data.toByteArray());
    }

    private static boolean isPrintable(String keyword) {
        return keyword.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> (c >= 0x20 && c < 0x7f) || c == '\n');
    }

    private static void chunk(ByteArrayOutputStream out, String type, byte[] data) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        var crc = new CRC32();
        crc.update(name);
        crc.update(data);
        out.writeBytes(ByteBuffer.allocate(4).putInt(data.length).array());
        out.writeBytes(name);
        out.writeBytes(data);
        out.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
    }

    /** Each row behind the number of its filter: the one of the five whose differences are smallest in sum. */
    private static byte[] filtered(byte[] rgb, int height, int rowBytes) {
        byte[] out = new byte[height * (rowBytes + 1)];
        byte[] tried = new byte[rowBytes];
        for (int y = 0; y < height; y++) {
            int to = y * (rowBytes + 1);
            long best = Long.MAX_VALUE;
            for (byte filter = 0; filter < 5; filter++) {
                long sum = filter(filter, rgb, y, rowBytes, tried);
                if (sum < best) {
                    best = sum;
                    out[to] = filter;
                    System.arraycopy(tried, 0, out, to + 1, rowBytes);
                }
            }
        }
        return out;
    }

    private static long filter(byte filter, byte[] rgb, int y, int rowBytes, byte[] out) {
        int row = y * rowBytes;
        long sum = 0;
        for (int i = 0; i < rowBytes; i++) {
            int left = i < CHANNELS ? 0 : rgb[row + i - CHANNELS] & 0xff;
            int up = y == 0 ? 0 : rgb[row + i - rowBytes] & 0xff;
            int corner = y == 0 || i < CHANNELS ? 0 : rgb[row + i - rowBytes - CHANNELS] & 0xff;
            int predicted = switch (filter) {
                case 0 -> 0;
                case 1 -> left;
                case 2 -> up;
                case 3 -> (left + up) / 2;
                default -> paeth(left, up, corner);
            };
            byte difference = (byte) (rgb[row + i] - predicted);
            out[i] = difference;
            sum += Math.abs(difference);
        }
        return sum;
    }

    /** The neighbour that is nearest to {@code left + up - corner}. */
    private static int paeth(int left, int up, int corner) {
        int estimate = left + up - corner;
        int toLeft = Math.abs(estimate - left);
        int toUp = Math.abs(estimate - up);
        int toCorner = Math.abs(estimate - corner);
        if (toLeft <= toUp && toLeft <= toCorner) {
            return left;
        }
        return toUp <= toCorner ? up : corner;
    }

    private static byte[] deflated(byte[] data) {
        var deflater = new Deflater(LEVEL);
        try {
            deflater.setInput(data);
            deflater.finish();
            var out = new ByteArrayOutputStream(data.length / 2 + 64);
            byte[] buffer = new byte[1 << 16];
            while (!deflater.finished()) {
                out.write(buffer, 0, deflater.deflate(buffer));
            }
            return out.toByteArray();
        } finally {
            deflater.end();
        }
    }
}

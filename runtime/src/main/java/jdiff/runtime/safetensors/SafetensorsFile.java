package jdiff.runtime.safetensors;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import jdiff.runtime.config.InputFile;
import jdiff.runtime.config.LfsPointer;
import jdiff.runtime.config.Utf8;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/**
 * One validated safetensors file: 8 bytes little-endian header length N, N bytes of JSON, then data that the tensors cover
 * exactly. Opening reads the header by a channel and nothing else; the first broken rule is a {@link FaultException} (BAD_INPUT)
 * {@code <path>: <text>}.
 */
public final class SafetensorsFile {
    /** Longest header, the format's own limit. */
    public static final long MAX_HEADER_BYTES = 100_000_000;

    /** Most tensors that one file may hold. */
    public static final int MAX_TENSORS = 1_000_000;

    private final Path path;
    private final long size;
    private final int headerBytes;
    private final SafetensorsHeader.Parsed header;

    private SafetensorsFile(Path path, long size, int headerBytes, SafetensorsHeader.Parsed header) {
        this.path = path;
        this.size = size;
        this.headerBytes = headerBytes;
        this.header = header;
    }

    /** Reads and validates the header of {@code path}; links are followed. */
    public static SafetensorsFile open(Path path) throws FaultException {
        long size = InputFile.attributes(path).size();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return parse(path, size, (from, length) -> read(channel, from, length));
        } catch (AccessDeniedException e) {
            throw new FaultException(Fault.NO_INPUT, path + ": no permission to read it", e);
        } catch (NoSuchFileException e) {
            throw new FaultException(Fault.NO_INPUT, path + ": vanished while it was opened", e);
        } catch (FaultException e) {
            throw e;
        } catch (IOException e) {
            throw new FaultException(Fault.IO, path + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** Where the bytes of a header come from. */
    @FunctionalInterface
    interface Source {
        /** Exactly {@code length} bytes, the first of them at offset {@code from}. */
        byte[] read(long from, int length) throws IOException;
    }

    /** Reads and validates the header of a file of {@code size} bytes; {@code path} stands for it in messages. */
    static SafetensorsFile parse(Path path, long size, Source in) throws IOException {
        byte[] start = in.read(0, (int) Math.min(size, LfsPointer.MAX_BYTES));
        LfsPointer.refuse(path, size, start, "weights");
        if (size < 8) {
            throw bad(path, size + " bytes, wanted at least 8 (truncated or incomplete download)");
        }
        long n = length(path, size, start);
        byte[] json = in.read(8, (int) n);
        requireText(path, json);
        try {
            return new SafetensorsFile(path, size, json.length, SafetensorsHeader.parse(json, 8 + n, size));
        } catch (SafetensorsHeader.Invalid e) {
            throw bad(path, String.valueOf(e.getMessage()));
        }
    }

    public Path path() {
        return path;
    }

    /** Bytes of the whole file when it was opened. */
    public long size() {
        return size;
    }

    /** Length of the header's text, N. */
    public int headerBytes() {
        return headerBytes;
    }

    /** The tensors by name, in the order of the header. */
    public Map<String, TensorEntry> entries() {
        return header.entries();
    }

    /** Free text that the writer left; empty if there is none. */
    public Map<String, String> metadata() {
        return header.metadata();
    }

    private static long length(Path path, long size, byte[] start) throws FaultException {
        long n = 0;
        boolean printable = true;
        for (int i = 7; i >= 0; i--) {
            n = (n << 8) | (start[i] & 0xff);
            printable &= (start[i] >= 0x20 && start[i] < 0x7f) || start[i] == '\n' || start[i] == '\r';
        }
        if (n < 2 || n > MAX_HEADER_BYTES) {
            throw bad(
                    path,
                    "header length " + Long.toUnsignedString(n) + ", wanted 2 to " + MAX_HEADER_BYTES
                            + (printable ? "; this looks like HTML/JSON text, not safetensors" : ""));
        }
        if (8 + n > size) {
            throw bad(
                    path,
                    "the header ends at byte " + (8 + n) + ", the file has " + size + " bytes: " + (8 + n - size)
                            + " missing (truncated or incomplete download)");
        }
        return n;
    }

    private static void requireText(Path path, byte[] json) throws FaultException {
        int bad = Utf8.badByte(json, json.length);
        int checked = bad < 0 ? json.length : bad;
        for (int i = 0; i < checked; i++) {
            if (json[i] == 0) {
                throw bad(path, "NUL in the header at byte " + i);
            }
        }
        if (bad >= 0) {
            throw bad(path, "header is not UTF-8 at byte " + bad);
        }
    }

    private static byte[] read(FileChannel channel, long from, int length) throws IOException {
        var buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, from + buffer.position()) < 0) {
                throw new EOFException("the file shrank while its header was read");
            }
        }
        return buffer.array();
    }

    private static FaultException bad(Path path, String text) {
        return new FaultException(Fault.BAD_INPUT, path + ": " + text);
    }
}

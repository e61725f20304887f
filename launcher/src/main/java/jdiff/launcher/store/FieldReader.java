package jdiff.launcher.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads fields from what has arrived so far; throws {@link Incomplete} where more must arrive first. */
final class FieldReader {
    private final ByteBuffer in;
    private final StoreLimits limits;

    FieldReader(ByteBuffer in, StoreLimits limits) {
        this.in = in.order(ByteOrder.LITTLE_ENDIAN);
        this.limits = limits;
    }

    int command() {
        need(1);
        return in.get() & 0xff;
    }

    int int32() {
        need(Integer.BYTES);
        return in.getInt();
    }

    long int64() {
        need(Long.BYTES);
        return in.getLong();
    }

    /** Keys are bytes; one char per byte keeps them exact and compact. */
    String key() {
        return new String(bytes(limits.keyBytes(), "key"), StandardCharsets.ISO_8859_1);
    }

    byte[] value() {
        return bytes(limits.valueBytes(), "value");
    }

    /** Number of keys that follow. */
    int count() {
        long count = int64();
        if (count < 0 || count > limits.keyCount()) {
            throw new ProtocolException("a command with " + Long.toUnsignedString(count) + " keys");
        }
        return (int) count;
    }

    private byte[] bytes(int limit, String what) {
        long length = int64();
        if (length < 0 || length > limit) {
            throw new ProtocolException(
                    "a " + what + " of " + Long.toUnsignedString(length) + " bytes, more than " + limit);
        }
        need((int) length);
        byte[] bytes = new byte[(int) length];
        in.get(bytes);
        return bytes;
    }

    private void need(int bytes) {
        if (in.remaining() < bytes) {
            throw new Incomplete(in.position() + bytes);
        }
    }

    /** The command is not complete; it needs at least this many bytes in the buffer, counted from its start. */
    static final class Incomplete extends RuntimeException {
        private final int needed;

        Incomplete(int needed) {
            super(null, null, false, false);
            this.needed = needed;
        }

        int needed() {
            return needed;
        }
    }
}

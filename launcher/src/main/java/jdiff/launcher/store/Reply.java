package jdiff.launcher.store;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** One answer, built field by field. */
final class Reply {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(16);

    Reply int8(int value) {
        out.write(value);
        return this;
    }

    Reply int32(int value) {
        out.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array());
        return this;
    }

    Reply int64(long value) {
        out.writeBytes(ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array());
        return this;
    }

    Reply bytes(byte[] value) {
        int64(value.length);
        out.writeBytes(value);
        return this;
    }

    ByteBuffer toBuffer() {
        return ByteBuffer.wrap(out.toByteArray());
    }
}

package jdiff.runtime.distributed;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;

/**
 * Keeps C++ code away from standard output, which carries results only. Gloo writes "Rank 0 is connected to .." to
 * {@code std::cout} for each group and has no switch for it. A stream whose bad bit is set drops what is written to it; the bit
 * is set in the stream object of libstdc++, after checking that the object looks as its ABI says. Where it does not, nothing is
 * touched and Gloo keeps talking.
 */
final class NativeStdout {
    private static final Logger LOG = LogManager.getLogger();
    private static final int BAD_BIT = 1;

    // std::ios_base in libstdc++ (64 bit): vtable, precision, width, flags, exceptions, state.
    private static final int PRECISION = 8;
    private static final int WIDTH = 16;
    private static final int EXCEPTIONS = 28;
    private static final int STATE = 32;
    private static final int DEFAULT_PRECISION = 6;

    private NativeStdout() {}

    static synchronized void silence() {
        Pointer cout = Loader.addressof("_ZSt4cout");
        if (cout == null || cout.isNull() || !Loader.getPlatform().equals("linux-x86_64")) {
            LOG.debug("std::cout was not found: Gloo's notices go to standard output");
            return;
        }
        BytePointer base = new BytePointer(cout).position(virtualBaseOffset(cout));
        int state = base.getInt(STATE);
        boolean asExpected = base.getLong(PRECISION) == DEFAULT_PRECISION
                && base.getLong(WIDTH) == 0
                && base.getInt(EXCEPTIONS) == 0
                && (state & ~BAD_BIT) == 0;
        if (asExpected) {
            base.putInt(STATE, state | BAD_BIT);
        } else {
            LOG.debug("std::cout looks unfamiliar: Gloo's notices go to standard output");
        }
    }

    /** Of the {@code ios_base} inside the stream; it stands in the third word before the virtual table. */
    private static long virtualBaseOffset(Pointer stream) {
        LongPointer table = new LongPointer(new Pointer() {
            {
                address = new LongPointer(stream).get(0);
            }
        });
        return table.get(-3);
    }
}

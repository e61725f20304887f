package jdiff.runtime.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CachedPagesTest {
    private static final int BYTES = 3 << 20;
    private static final int BLOCK = 4096;

    @TempDir
    Path folder;

    @Test
    void whatWasJustWrittenIsThereAndWhatLiesBehindTheEndIsNot() throws IOException {
        Path file = Files.write(folder.resolve("written"), new byte[BYTES]);
        try (FileChannel channel = FileChannel.open(file)) {
            CachedPages pages = new CachedPages(channel, file);
            assertThat(pages.hold(0, BYTES)).isTrue();
            assertThat(pages.hold(5, 6)).isTrue();
            assertThat(pages.hold(0, 2L * BYTES + (1L << 32))).isFalse();
        }
    }

    @Test
    void whatWentPastTheCacheIsThereOnceItWasRead() throws IOException {
        Path file = folder.resolve("past");
        writePastTheCache(file);
        try (FileChannel channel = FileChannel.open(file)) {
            CachedPages pages = new CachedPages(channel, file);
            assertThat(pages.hold(0, BYTES)).isFalse();
            channel.read(ByteBuffer.allocate(BYTES), 0);
            assertThat(pages.hold(0, BYTES)).isTrue();
        }
    }

    private static void writePastTheCache(Path file) throws IOException {
        ByteBuffer zeros =
                ByteBuffer.allocateDirect(BYTES + BLOCK).alignedSlice(BLOCK).limit(BYTES);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT)) {
            channel.write(zeros);
        } catch (IOException | UnsupportedOperationException e) {
            abort("this file system has no writes past the page cache");
        }
    }
}

package jdiff.launcher.store;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.apache.logging.log4j.LogManager;

/** Lets only processes of this user in: the kernel lists the owner of the peer's end of a loopback connection. */
final class PeerCheck {
    private static final int READS = 3;

    private boolean warned;

    boolean isAllowed(SocketChannel channel) throws IOException {
        var local = (InetSocketAddress) channel.getLocalAddress();
        var remote = (InetSocketAddress) channel.getRemoteAddress();
        long self;
        try {
            self = ((Number) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue();
            for (int read = 0; read < READS; read++) {
                // The table is read in pieces while it changes, so one read may miss a line.
                OptionalLong owner = SocketTable.owner(/* local= */ remote, /* remote= */ local);
                if (owner.isPresent()) {
                    return owner.getAsLong() == self;
                }
            }
            return false;
        } catch (IOException | RuntimeException e) {
            if (!warned) {
                warned = true;
                LogManager.getLogger()
                        .warn(
                                "/proc/net/tcp cannot be read ({}): other users of this host could join the job",
                                e.toString());
            }
            return true;
        }
    }
}

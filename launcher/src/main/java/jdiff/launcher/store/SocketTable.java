package jdiff.launcher.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The kernel's table of TCP sockets, {@code /proc/net/tcp} and {@code tcp6}. */
final class SocketTable {
    private static final List<String> FILES = List.of("/proc/net/tcp", "/proc/net/tcp6");
    private static final String LISTEN = "0A";

    private SocketTable() {}

    /** User id of the socket whose ends are these, if it is listed. */
    static OptionalLong owner(InetSocketAddress local, InetSocketAddress remote) throws IOException {
        for (String file : FILES) {
            if (Files.exists(Path.of(file))) {
                try (Stream<String> lines = Files.lines(Path.of(file))) {
                    var found = owner(lines, local, remote);
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
        }
        return OptionalLong.empty();
    }

    static OptionalLong owner(Stream<String> lines, InetSocketAddress local, InetSocketAddress remote) {
        return lines.skip(1)
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> fields.length > 9 && matches(fields[1], local) && matches(fields[2], remote))
                .mapToLong(fields -> Long.parseLong(fields[7]))
                .findFirst();
    }

    /** Inode of the socket that listens on a port; -1 where there is none. */
    static long listener(int port) throws IOException {
        String suffix = String.format(Locale.ROOT, ":%04X", port);
        for (String file : FILES) {
            if (Files.exists(Path.of(file))) {
                try (Stream<String> lines = Files.lines(Path.of(file))) {
                    var inode = lines.skip(1)
                            .map(line -> line.strip().split("\\s+"))
                            .filter(fields ->
                                    fields.length > 9 && fields[1].endsWith(suffix) && fields[3].equals(LISTEN))
                            .mapToLong(fields -> Long.parseLong(fields[9]))
                            .findFirst();
                    if (inode.isPresent()) {
                        return inode.getAsLong();
                    }
                }
            }
        }
        return -1;
    }

    /** {@code 0100007F:1F90}: 32-bit words in host order, so little endian here; then the port. */
    private static boolean matches(String field, InetSocketAddress address) {
        int colon = field.indexOf(':');
        if (colon < 0 || Integer.parseInt(field.substring(colon + 1), 16) != address.getPort()) {
            return false;
        }
        byte[] bytes = HexFormat.of().parseHex(field.substring(0, colon));
        for (int word = 0; word + 3 < bytes.length; word += 4) {
            swap(bytes, word, word + 3);
            swap(bytes, word + 1, word + 2);
        }
        try {
            return InetAddress.getByAddress(bytes)
                    .equals(address.getAddress()); // an IPv4-mapped address equals its IPv4 form
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static void swap(byte[] bytes, int i, int j) {
        byte saved = bytes[i];
        bytes[i] = bytes[j];
        bytes[j] = saved;
    }
}

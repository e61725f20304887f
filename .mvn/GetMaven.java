import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Places the pinned Maven under the folder given as the only argument and prints its home. A single-file program for a bare
 * JDK: download, check of the digest and unpacking need no other tool. The folder appears whole or not at all, and of several
 * builds that start at once only one downloads.
 */
final class GetMaven {
    private static final String VERSION = "3.9.16";
    private static final String NAME = "apache-maven-" + VERSION;
    private static final String SHA512 = "ed41650d42485cfc243fad22158caf9cbb5dc408ce7a09ddb94dd42a019de929"
            + "ca43065bfa450612cf12bf78b5cafa3884b96c090de326ff590448c933454af3";
    private static final String ARCHIVE = "https://archive.apache.org/dist/maven/maven-3/" + VERSION + "/binaries/";

    private GetMaven() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]).toAbsolutePath();
        Path home = folder.resolve(NAME);
        try {
            if (!Files.exists(home)) {
                install(folder, home);
            }
        } catch (IOException e) {
            System.err.println("mvnw: cannot place Maven " + VERSION + " in " + folder + ": " + plain(e)
                    + "\nmvnw: install Maven 3.8 or newer, connect to the network, or set MVNW_REPOURL to a reachable Maven"
                    + " repository");
            System.exit(1);
        }
        System.out.println(home);
    }

    private static void install(Path folder, Path home) throws Exception {
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(folder, owner);
        try (var lock = FileChannel.open(
                        folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var held = lock.lock()) {
            if (Files.exists(home)) {
                return;
            }
            Path work = Files.createTempDirectory(folder, "new");
            try {
                Path zip = work.resolve("maven.zip");
                download(address(), zip);
                unpack(zip, work);
                Files.move(work.resolve(NAME), home);
            } finally {
                delete(work);
            }
        }
    }

    private static URI address() {
        String repository = System.getenv("MVNW_REPOURL");
        String file = NAME + "-bin.zip";
        return repository == null || repository.isBlank()
                ? URI.create(ARCHIVE + file)
                : URI.create(repository.replaceAll("/+$", "") + "/org/apache/maven/apache-maven/" + VERSION + "/" + file);
    }

    private static void download(URI from, Path to) throws Exception {
        System.err.println("mvnw: downloading Maven " + VERSION + " (9 MB) from " + from.getHost());
        var client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(Duration.ofSeconds(30));
        String proxy = System.getenv("https_proxy") != null ? System.getenv("https_proxy") : System.getenv("HTTPS_PROXY");
        if (proxy != null && !proxy.isBlank()) {
            URI uri = URI.create(proxy.contains("://") ? proxy : "http://" + proxy);
            client.proxy(ProxySelector.of(new InetSocketAddress(uri.getHost(), uri.getPort() < 0 ? 80 : uri.getPort())));
        }
        var digest = MessageDigest.getInstance("SHA-512");
        HttpResponse<InputStream> response = client.build()
                .send(HttpRequest.newBuilder(from).build(), HttpResponse.BodyHandlers.ofInputStream());
        try (var body = new DigestInputStream(response.body(), digest)) {
            if (response.statusCode() != 200) {
                throw new IOException("the server answered " + response.statusCode() + " for " + from);
            }
            Files.copy(body, to);
        }
        String found = HexFormat.of().formatHex(digest.digest());
        if (!found.equals(SHA512)) {
            throw new IOException("the file from " + from + " is not the expected one (SHA-512 " + found + ")");
        }
    }

    private static void unpack(Path zip, Path into) throws IOException {
        try (var in = new ZipInputStream(Files.newInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                Path target = into.resolve(entry.getName()).normalize();
                if (!target.startsWith(into)) {
                    throw new IOException("the archive holds an entry outside its folder: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                    continue;
                }
                Files.createDirectories(target.getParent());
                try (OutputStream out = Files.newOutputStream(target)) {
                    in.transferTo(out);
                }
            }
        }
        for (String program : List.of("mvn", "mvnDebug")) {
            Files.setPosixFilePermissions(
                    into.resolve(NAME).resolve("bin").resolve(program), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** The JDK's network exceptions often carry no text. */
    private static String plain(IOException e) {
        return e.getMessage() == null ? "no connection (" + e.getClass().getSimpleName() + ")" : e.getMessage();
    }
}

package jdiff.runtime.distributed;

import java.time.Duration;
import java.util.function.Supplier;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.ByteVector;
import org.bytedeco.pytorch.StringVector;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;

/** A client of c10d's TCP store: the one inside jdiff's launcher, torchrun's, or one that rank 0 hosts itself. */
final class TcpStore implements Store {
    private final TCPStore client;
    private final String endpoint;

    private TcpStore(TCPStore client, String endpoint) {
        this.client = client;
        this.endpoint = endpoint;
    }

    /**
     * Connects, retrying until {@code timeout}.
     *
     * @param host whether this process is to host the store as well
     * @throws FaultException {@link Fault#RENDEZVOUS} if there is no store at this address
     */
    static TcpStore connect(String address, int port, boolean host, Duration timeout) throws FaultException {
        String endpoint = address + ":" + port;
        try (TCPStoreOptions options = new TCPStoreOptions();
                Milliseconds limit = new Milliseconds(timeout.toMillis())) {
            options.port((short) port).isServer(host).waitWorkers(false).timeout(limit);
            return new TcpStore(new TCPStore(address, options), endpoint);
        } catch (RuntimeException e) {
            String what = host ? "cannot host the job's store at " : "cannot reach the job's store at ";
            throw new FaultException(
                    Fault.RENDEZVOUS,
                    what + endpoint + " (MASTER_ADDR:MASTER_PORT) within " + timeout.toSeconds() + " s: "
                            + NativeFailure.line(e)
                            + "; is the launcher alive, and may this host connect to that port?",
                    e);
        }
    }

    /** A further connection, for process groups: with a reference count, so that several C++ objects may share it. */
    org.bytedeco.pytorch.Store another(Duration timeout) {
        return call(() -> {
            org.bytedeco.pytorch.Store connection = client.clone();
            try (Milliseconds limit = new Milliseconds(timeout.toMillis())) {
                connection.setTimeout(limit);
            }
            return connection;
        });
    }

    @Override
    public void set(String key, byte[] value) {
        try (ByteVector bytes = new ByteVector(value)) {
            call(() -> {
                client.set(key, bytes);
                return key;
            });
        }
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        StoreWait.until(() -> contains(key), timeout, key);
        return call(() -> array(client.get(key)));
    }

    @Override
    public long add(String key, long amount) {
        return call(() -> client.add(key, amount));
    }

    @Override
    public byte[] compareSet(String key, byte[] expected, byte[] desired) {
        try (ByteVector old = new ByteVector(expected);
                ByteVector wanted = new ByteVector(desired)) {
            return call(() -> array(client.compareSet(key, old, wanted)));
        }
    }

    @Override
    public boolean contains(String key) {
        try (StringVector keys = new StringVector(key)) {
            return call(() -> client.check(keys));
        }
    }

    @Override
    public boolean delete(String key) {
        return call(() -> client.deleteKey(key));
    }

    @Override
    public void close() {
        client.close();
    }

    private <T> T call(Supplier<T> body) {
        try {
            return body.get();
        } catch (RuntimeException e) {
            throw new DistributedException(
                    Fault.PEER_LOST, "the job's store at " + endpoint + " is lost: " + NativeFailure.line(e), e);
        }
    }

    private static byte[] array(ByteVector bytes) {
        try (bytes) {
            return bytes.get();
        }
    }
}

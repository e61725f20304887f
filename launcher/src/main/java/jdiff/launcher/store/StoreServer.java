package jdiff.launcher.store;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import jdiff.launcher.Cause;
import jdiff.launcher.LaunchException;
import org.apache.logging.log4j.LogManager;

/** The store of a job: bound before its port is published, never released while the job lives, served by one daemon thread. */
public final class StoreServer implements AutoCloseable {
    private static final long SWEEP_MILLIS = 1000;

    private final ServerSocketChannel listener;
    private final Selector selector;
    private final int port;
    private final StoreLimits limits;
    private final StoreData data;
    private final StoreCommands commands;
    private final PeerCheck peers;
    private final Set<StoreConnection> connections = new LinkedHashSet<>();

    private StoreServer(ServerSocketChannel listener, int worldSize, PeerCheck peers) throws IOException {
        this.listener = listener;
        this.selector = Selector.open();
        this.port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
        this.limits = StoreLimits.forWorld(worldSize);
        this.data = new StoreData(limits.totalBytes());
        this.commands = new StoreCommands(data, limits);
        this.peers = peers;
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    /**
     * Binds and starts serving. Port 0 takes a free one. A taken port is a {@link LaunchException} (rendezvous, 69) that names
     * the owner where it is visible.
     */
    public static StoreServer open(InetSocketAddress address, int worldSize) throws LaunchException {
        try {
            ServerSocketChannel listener = ServerSocketChannel.open(
                    address.getAddress() instanceof Inet6Address
                            ? StandardProtocolFamily.INET6
                            : StandardProtocolFamily.INET);
            try {
                listener.bind(address, 1024);
                var server = new StoreServer(listener, worldSize, new PeerCheck());
                var thread = new Thread(null, server::serve, "store", 256 << 10);
                thread.setDaemon(true);
                thread.start();
                return server;
            } catch (IOException e) {
                listener.close();
                throw e;
            }
        } catch (IOException e) {
            String text = address.getAddress().getHostAddress() + ":" + address.getPort();
            throw new LaunchException(
                    Cause.RENDEZVOUS,
                    "the store cannot listen on " + text + " (" + e.getMessage() + ")" + PortOwner.of(address.getPort())
                            + "; leave --master-port out to take a free port",
                    e);
        }
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        try {
            listener.close();
            selector.close();
        } catch (IOException e) {
            LogManager.getLogger().debug("closing the store", e);
        }
    }

    private void serve() {
        long lastSweep = System.nanoTime();
        try {
            while (selector.isOpen()) {
                selector.select(this::handle, SWEEP_MILLIS);
                long now = System.nanoTime();
                if (now - lastSweep > SWEEP_MILLIS * 1_000_000) {
                    lastSweep = now;
                    dropOverdue(now);
                }
            }
        } catch (IOException | ClosedSelectorException e) {
            if (listener.isOpen()) {
                LogManager.getLogger().error("the store has failed: {}", e.toString());
            }
        } finally {
            connections.forEach(StoreConnection::close);
        }
    }

    private void handle(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
            } else if (key.attachment() instanceof StoreConnection connection) {
                serve(key, connection);
            }
        } catch (CancelledKeyException e) {
            key.cancel();
        }
    }

    private void accept() {
        try {
            SocketChannel channel = listener.accept();
            if (channel == null) {
                return;
            }
            if (connections.size() >= limits.connections() || !peers.isAllowed(channel)) {
                channel.close();
                return;
            }
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            var connection = new StoreConnection(channel, key, commands, System.nanoTime());
            key.attach(connection);
            connections.add(connection);
        } catch (IOException e) {
            LogManager.getLogger().debug("a connection to the store failed: {}", e.toString());
        }
    }

    private void serve(SelectionKey key, StoreConnection connection) {
        try {
            if (key.isWritable()) {
                connection.write();
            }
            if (key.isReadable() && !connection.read()) {
                drop(connection);
            }
        } catch (ProtocolException e) {
            LogManager.getLogger().debug("{} is dropped: it sent {}", connection, e.getMessage());
            drop(connection);
        } catch (IOException e) {
            drop(connection);
        } catch (OutOfMemoryError e) {
            drop(connection);
            LogManager.getLogger().warn("{} is dropped: the store has no memory left for it", connection);
        }
    }

    private void dropOverdue(long now) {
        for (StoreConnection connection : new ArrayList<>(connections)) {
            if (connection.isOverdue(now, limits.handshake().toNanos())) {
                drop(connection);
            }
        }
    }

    private void drop(StoreConnection connection) {
        data.forget(connection);
        connections.remove(connection);
        connection.close();
    }
}

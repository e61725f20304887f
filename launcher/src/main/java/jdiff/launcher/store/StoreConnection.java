package jdiff.launcher.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** One client: bytes in, commands out of them, answers back. A client that does not read its answers is not read from either. */
final class StoreConnection implements StoreCommands.Peer {
    private static final int INITIAL = 1 << 10;
    private static final int CHUNK = 64 << 10;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final StoreCommands commands;
    private final long acceptedNanos;
    private final Deque<ByteBuffer> out = new ArrayDeque<>();
    private ByteBuffer in = ByteBuffer.allocate(INITIAL);
    private int needed = 1;
    private boolean validated;

    StoreConnection(SocketChannel channel, SelectionKey key, StoreCommands commands, long nowNanos) {
        this.channel = channel;
        this.key = key;
        this.commands = commands;
        this.acceptedNanos = nowNanos;
    }

    /** Has not introduced itself within the time allowed. */
    boolean isOverdue(long nowNanos, long handshakeNanos) {
        return !validated && nowNanos - acceptedNanos > handshakeNanos;
    }

    /** Reads what is there and answers; false at end of file. */
    boolean read() throws IOException {
        while (out.isEmpty()) {
            ensureRoom();
            int count = channel.read(in);
            if (count < 0) {
                return false;
            }
            if (count == 0) {
                return true;
            }
            executeAll();
        }
        return true;
    }

    /** Writes as much as the peer takes, then goes on with commands that waited behind the answers. */
    void write() throws IOException {
        flush();
        if (out.isEmpty()) {
            executeAll();
        }
    }

    private void executeAll() throws IOException {
        in.flip();
        try {
            while (in.hasRemaining() && out.isEmpty() && in.remaining() >= needed) {
                ByteBuffer view = in.slice();
                try {
                    commands.execute(view, this);
                    in.position(in.position() + view.position());
                    needed = 1;
                    flush();
                } catch (FieldReader.Incomplete e) {
                    needed = e.needed();
                }
            }
        } finally {
            in.compact();
        }
        shrink();
    }

    private void flush() throws IOException {
        while (!out.isEmpty()) {
            ByteBuffer first = out.getFirst();
            channel.write(first);
            if (first.hasRemaining()) {
                break;
            }
            out.removeFirst();
        }
        key.interestOps(out.isEmpty() ? SelectionKey.OP_READ : SelectionKey.OP_WRITE);
    }

    private void ensureRoom() {
        if (in.hasRemaining()) {
            return;
        }
        int wanted = Math.max(needed, Math.min(in.capacity() * 2, in.capacity() + CHUNK));
        in = ByteBuffer.wrap(Arrays.copyOf(in.array(), wanted)).position(in.position());
    }

    private void shrink() {
        if (in.position() == 0 && in.capacity() > CHUNK) {
            in = ByteBuffer.allocate(INITIAL);
        }
    }

    void close() {
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            // Closing is all that was wanted.
        }
    }

    @Override
    public boolean isValidated() {
        return validated;
    }

    @Override
    public void validated() {
        validated = true;
    }

    @Override
    public void answer(Reply reply) {
        out.addLast(reply.toBuffer());
    }

    /** May be called while another connection's command runs, so the answer is sent at once. */
    @Override
    public void allThere() {
        answer(new Reply().int8(StoreCommands.STOP_WAITING));
        try {
            flush();
        } catch (IOException e) {
            close();
        }
    }

    @Override
    public String toString() {
        return channel.socket().getRemoteSocketAddress() + "";
    }
}

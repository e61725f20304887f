package jdiff.launcher.store;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Speaks the protocol by hand. */
final class StoreClient implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;

    StoreClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
    }

    static StoreClient validated(int port) throws IOException {
        var client = new StoreClient(port);
        client.send(command(StoreCommands.VALIDATE).int32(StoreCommands.MAGIC));
        return client;
    }

    static Reply command(int code) {
        return new Reply().int8(code);
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] bytes(Reply message) {
        return message.toBuffer().array();
    }

    void send(Reply message) throws IOException {
        send(bytes(message));
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    int int8() throws IOException {
        return in.readUnsignedByte();
    }

    long int64() throws IOException {
        byte[] bytes = new byte[8];
        in.readFully(bytes);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    int int32() throws IOException {
        return Integer.reverseBytes(in.readInt());
    }

    String value() throws IOException {
        byte[] bytes = new byte[(int) int64()];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    void set(String key, String value) throws IOException {
        send(command(StoreCommands.SET).bytes(text(key)).bytes(text(value)));
    }

    String get(String key) throws IOException {
        send(command(StoreCommands.GET).bytes(text(key)));
        return value();
    }

    long add(String key, long delta) throws IOException {
        send(command(StoreCommands.ADD).bytes(text(key)).int64(delta));
        return int64();
    }

    /** Whether the server has closed the connection. */
    boolean isClosed() {
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

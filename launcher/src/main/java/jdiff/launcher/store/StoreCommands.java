package jdiff.launcher.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Decodes one command of a connection and carries it out. Effects happen only once a command has arrived completely. */
final class StoreCommands {
    static final int MAGIC = 0x3C85F7CE;
    static final int VALIDATE = 0;
    static final int SET = 1;
    static final int COMPARE_SET = 2;
    static final int GET = 3;
    static final int ADD = 4;
    static final int CHECK = 5;
    static final int WAIT = 6;
    static final int GETNUMKEYS = 7;
    static final int DELETE_KEY = 8;
    static final int APPEND = 9;
    static final int MULTI_GET = 10;
    static final int MULTI_SET = 11;
    static final int CANCEL_WAIT = 12;
    static final int PING = 13;
    static final int QUEUE_PUSH = 14;
    static final int QUEUE_POP = 15;
    static final int QUEUE_LEN = 16;
    static final int LIST_KEYS = 17;

    private static final int READY = 0;
    private static final int NOT_READY = 1;
    static final int STOP_WAITING = 0;
    private static final int WAIT_CANCELED = 1;

    private final StoreData data;
    private final StoreLimits limits;

    StoreCommands(StoreData data, StoreLimits limits) {
        this.data = data;
        this.limits = limits;
    }

    /** Whoever sent the command: takes answers, can wait, must introduce itself once. */
    interface Peer extends StoreData.Waiter {
        boolean isValidated();

        void validated();

        void answer(Reply reply);
    }

    /** Reads one command from {@code in}; throws {@link FieldReader.Incomplete} without any effect if it is not all there. */
    void execute(ByteBuffer in, Peer peer) {
        var fields = new FieldReader(in, limits);
        int command = fields.command();
        if (!peer.isValidated() && command != VALIDATE) {
            throw new ProtocolException("a first byte of " + command);
        }
        switch (command) {
            case VALIDATE -> validate(fields, peer);
            case PING -> peer.answer(new Reply().int32(fields.int32()));
            case SET -> data.set(fields.key(), fields.value());
            case COMPARE_SET ->
                peer.answer(new Reply().bytes(data.compareAndSet(fields.key(), fields.value(), fields.value())));
            case GET -> peer.answer(new Reply().bytes(data.get(fields.key())));
            case ADD -> peer.answer(new Reply().int64(data.add(fields.key(), fields.int64())));
            case CHECK -> peer.answer(new Reply().int8(data.hasAll(keys(fields)) ? READY : NOT_READY));
            case WAIT -> data.await(keys(fields), peer);
            case CANCEL_WAIT -> {
                data.forget(peer);
                peer.answer(new Reply().int8(WAIT_CANCELED));
            }
            case GETNUMKEYS -> peer.answer(new Reply().int64(data.size()));
            case DELETE_KEY -> peer.answer(new Reply().int64(data.delete(fields.key()) ? 1 : 0));
            case APPEND -> data.append(fields.key(), fields.value());
            case MULTI_GET -> multiGet(fields, peer);
            case MULTI_SET -> multiSet(fields);
            case QUEUE_PUSH -> data.push(fields.key(), fields.value());
            case QUEUE_POP -> pop(fields, peer);
            case QUEUE_LEN -> peer.answer(new Reply().int64(data.queueLength(fields.key())));
            case LIST_KEYS -> listKeys(peer);
            default -> throw new ProtocolException("command " + command + ", which libtorch 2.10 does not have");
        }
    }

    private static void validate(FieldReader fields, Peer peer) {
        if (fields.int32() != MAGIC) {
            throw new ProtocolException("a wrong magic number");
        }
        peer.validated();
    }

    private static List<String> keys(FieldReader fields) {
        int count = fields.count();
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(fields.key());
        }
        return keys;
    }

    private void multiGet(FieldReader fields, Peer peer) {
        var reply = new Reply();
        keys(fields).forEach(key -> reply.bytes(data.get(key)));
        peer.answer(reply);
    }

    private void multiSet(FieldReader fields) {
        int count = fields.count();
        List<String> keys = new ArrayList<>();
        List<byte[]> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(fields.key());
            values.add(fields.value());
        }
        for (int i = 0; i < count; i++) {
            data.set(keys.get(i), values.get(i));
        }
    }

    private void pop(FieldReader fields, Peer peer) {
        String queue = fields.key();
        var reply = new Reply().int64(data.queueLength(queue));
        byte[] first = data.pop(queue);
        if (first != null) {
            reply.bytes(first);
        }
        peer.answer(reply);
    }

    private void listKeys(Peer peer) {
        var reply = new Reply().int64(data.size());
        data.keys().forEach(key -> reply.bytes(key.getBytes(StandardCharsets.ISO_8859_1)));
        peer.answer(reply);
    }
}

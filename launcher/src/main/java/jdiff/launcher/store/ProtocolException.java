package jdiff.launcher.store;

/** What a peer sent is not the protocol or beyond the limits: its connection is closed. */
final class ProtocolException extends RuntimeException {
    ProtocolException(String message) {
        super(message, null, false, false);
    }
}

package jdiff.runtime.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class StoreTest {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final byte[] NOTHING = {};

    /** What both stores must do alike. */
    abstract static class Contract {
        abstract Store store() throws IOException;

        @Test
        void a_value_comes_back_as_it_was() throws IOException {
            try (Store store = store()) {
                byte[] value = {0, 1, -1, 127, -128};
                store.set("bytes", value);
                store.set("none", NOTHING);
                assertThat(store.get("bytes", SHORT)).isEqualTo(value);
                assertThat(store.get("none", SHORT)).isEmpty();
            }
        }

        @Test
        void a_counter_starts_at_zero_and_is_text() throws IOException {
            try (Store store = store()) {
                assertThat(store.add("n", 5)).isEqualTo(5);
                assertThat(store.add("n", -7)).isEqualTo(-2);
                assertThat(store.getText("n", SHORT)).isEqualTo("-2");
            }
        }

        @Test
        void compare_and_set_replaces_only_what_was_expected() throws IOException {
            try (Store store = store()) {
                assertThat(store.compareSet("c", text("a"), text("b"))).isEqualTo(text("a"));
                assertThat(store.contains("c")).isFalse();
                assertThat(store.compareSet("c", NOTHING, text("a"))).isEqualTo(text("a"));
                assertThat(store.compareSet("c", NOTHING, text("b"))).isEqualTo(text("a"));
                assertThat(store.compareSet("c", text("a"), text("b"))).isEqualTo(text("b"));
                assertThat(store.compareSet("c", text("a"), text("c"))).isEqualTo(text("b"));
            }
        }

        @Test
        void a_deleted_key_is_gone() throws IOException {
            try (Store store = store()) {
                store.set("d", "x");
                assertThat(store.delete("d")).isTrue();
                assertThat(store.delete("d")).isFalse();
                assertThat(store.contains("d")).isFalse();
            }
        }

        @Test
        void a_key_that_does_not_come_is_an_error_in_time() throws IOException {
            try (Store store = store()) {
                assertThatExceptionOfType(DistributedException.class)
                        .isThrownBy(() -> store.get("never", SHORT))
                        .withMessage("store key never did not appear within 50 ms")
                        .satisfies(e -> assertThat(e.fault()).isEqualTo(Fault.HANG));
            }
        }

        @Test
        void a_waiting_reader_does_not_hold_up_another_thread() throws Exception {
            try (Store store = store()) {
                Thread writer = new Thread(() -> store.set("late", "x"));
                writer.start();
                assertThat(store.getText("late", Duration.ofSeconds(10))).isEqualTo("x");
                writer.join();
            }
        }

        @Test
        void views_see_their_own_keys_only() throws IOException {
            try (Store store = store()) {
                store.under("a/").set("k", "1");
                store.under("b/").set("k", "2");
                assertThat(store.under("a/").getText("k", SHORT)).isEqualTo("1");
                assertThat(store.getText("b/k", SHORT)).isEqualTo("2");
                assertThat(store.contains("k")).isFalse();
            }
        }
    }

    @Nested
    class InMemory extends Contract {
        @Override
        Store store() {
            return new MemoryStore();
        }
    }

    @Nested
    class OverTcp extends Contract {
        @Override
        Store store() throws IOException {
            return TcpStore.connect("127.0.0.1", freePort(), true, Duration.ofSeconds(10));
        }

        @Test
        void no_store_at_the_address_is_a_rendezvous_fault_that_names_it() throws IOException {
            int port = freePort();
            assertThatExceptionOfType(FaultException.class)
                    .isThrownBy(() -> TcpStore.connect("127.0.0.1", port, false, Duration.ofSeconds(1)))
                    .withMessageContaining("cannot reach the job's store at 127.0.0.1:" + port)
                    .satisfies(e -> assertThat(e.fault()).isEqualTo(Fault.RENDEZVOUS));
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

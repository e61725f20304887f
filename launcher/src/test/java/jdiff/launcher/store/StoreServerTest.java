package jdiff.launcher.store;

import static jdiff.launcher.store.StoreClient.command;
import static jdiff.launcher.store.StoreClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import jdiff.launcher.Cause;
import jdiff.launcher.LaunchException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoreServerTest {
    private StoreServer server;
    private StoreClient client;

    @BeforeEach
    void open() throws IOException {
        server = StoreServer.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 2);
        client = StoreClient.validated(server.port());
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        server.close();
    }

    @Test
    void a_value_comes_back_and_an_absent_key_is_empty() throws IOException {
        client.set("k", "v");
        assertThat(client.get("k")).isEqualTo("v");
        assertThat(client.get("absent")).isEmpty();
    }

    @Test
    void a_ping_comes_back() throws IOException {
        client.send(command(StoreCommands.PING).int32(4711));
        assertThat(client.int32()).isEqualTo(4711);
    }

    @Test
    void counters_are_added_up_and_stored_as_text() throws IOException {
        assertThat(client.add("n", 5)).isEqualTo(5);
        assertThat(client.add("n", -7)).isEqualTo(-2);
        assertThat(client.get("n")).isEqualTo("-2");
    }

    @Test
    void compare_and_set_answers_as_libtorch_does() throws IOException {
        assertThat(compareAndSet("k", "", "1")).isEqualTo("1");
        assertThat(compareAndSet("k", "x", "2")).isEqualTo("1");
        assertThat(compareAndSet("k", "1", "3")).isEqualTo("3");
        assertThat(compareAndSet("absent", "expected", "v")).isEqualTo("expected");
    }

    private String compareAndSet(String key, String expected, String desired) throws IOException {
        client.send(command(StoreCommands.COMPARE_SET)
                .bytes(text(key))
                .bytes(text(expected))
                .bytes(text(desired)));
        return client.value();
    }

    @Test
    void keys_are_counted_listed_checked_and_deleted() throws IOException {
        client.set("a", "1");
        client.set("b", "2");
        client.send(command(StoreCommands.GETNUMKEYS));
        assertThat(client.int64()).isEqualTo(2);
        client.send(command(StoreCommands.LIST_KEYS));
        assertThat(client.int64()).isEqualTo(2);
        assertThat(List.of(client.value(), client.value())).containsExactlyInAnyOrder("a", "b");
        client.send(command(StoreCommands.CHECK).int64(2).bytes(text("a")).bytes(text("c")));
        assertThat(client.int8()).isEqualTo(1);
        client.send(command(StoreCommands.DELETE_KEY).bytes(text("a")));
        assertThat(client.int64()).isEqualTo(1);
        client.send(command(StoreCommands.DELETE_KEY).bytes(text("a")));
        assertThat(client.int64()).isZero();
    }

    @Test
    void several_values_are_set_appended_and_read_at_once() throws IOException {
        client.send(command(StoreCommands.MULTI_SET)
                .int64(2)
                .bytes(text("a"))
                .bytes(text("1"))
                .bytes(text("b"))
                .bytes(text("2")));
        client.send(command(StoreCommands.APPEND).bytes(text("a")).bytes(text("!")));
        client.send(command(StoreCommands.MULTI_GET).int64(2).bytes(text("a")).bytes(text("b")));
        assertThat(List.of(client.value(), client.value())).containsExactly("1!", "2");
    }

    @Test
    void a_wait_ends_when_the_last_of_its_keys_comes() throws IOException {
        client.send(command(StoreCommands.WAIT).int64(2).bytes(text("a")).bytes(text("b")));
        try (var other = StoreClient.validated(server.port())) {
            other.set("a", "1");
            other.set("b", "2");
            assertThat(client.int8()).isEqualTo(StoreCommands.STOP_WAITING);
        }
        assertThat(client.get("a")).isEqualTo("1");
    }

    @Test
    void a_cancelled_wait_is_confirmed_and_forgotten() throws IOException {
        client.send(command(StoreCommands.WAIT).int64(1).bytes(text("a")));
        client.send(command(StoreCommands.CANCEL_WAIT));
        assertThat(client.int8()).isEqualTo(1);
        client.set("a", "1");
        assertThat(client.get("a")).isEqualTo("1");
    }

    @Test
    void queues_hand_out_in_order_and_wake_one_waiter_per_element() throws IOException {
        client.send(command(StoreCommands.WAIT).int64(1).bytes(text("q")));
        try (var other = StoreClient.validated(server.port())) {
            other.send(command(StoreCommands.QUEUE_PUSH).bytes(text("q")).bytes(text("1")));
            other.send(command(StoreCommands.QUEUE_PUSH).bytes(text("q")).bytes(text("2")));
            assertThat(client.int8()).isEqualTo(StoreCommands.STOP_WAITING);
            other.send(command(StoreCommands.QUEUE_LEN).bytes(text("q")));
            assertThat(other.int64()).isEqualTo(2);
        }
        client.send(command(StoreCommands.QUEUE_POP).bytes(text("q")));
        assertThat(client.int64()).isEqualTo(2);
        assertThat(client.value()).isEqualTo("1");
        client.send(command(StoreCommands.QUEUE_POP).bytes(text("q")));
        assertThat(client.int64()).isEqualTo(1);
        assertThat(client.value()).isEqualTo("2");
        client.send(command(StoreCommands.QUEUE_POP).bytes(text("q")));
        assertThat(client.int64()).isZero();
    }

    @Test
    void commands_may_arrive_byte_by_byte_and_many_at_once() throws IOException {
        byte[] set =
                StoreClient.bytes(command(StoreCommands.SET).bytes(text("k")).bytes(text("slow")));
        for (byte b : set) {
            client.send(new byte[] {b});
        }
        var many = new Reply();
        for (int i = 0; i < 1000; i++) {
            many.int8(StoreCommands.GET).bytes(text("k"));
        }
        client.send(many);
        for (int i = 0; i < 1000; i++) {
            assertThat(client.value()).isEqualTo("slow");
        }
    }

    @Test
    void a_value_of_eight_mebibytes_passes_and_a_larger_one_does_not() throws IOException {
        byte[] large = new byte[8 << 20];
        client.send(command(StoreCommands.SET).bytes(text("k")).bytes(large));
        client.send(command(StoreCommands.GET).bytes(text("k")));
        assertThat(client.value()).hasSize(large.length);
        client.send(command(StoreCommands.SET).bytes(text("k")).int64(large.length + 1));
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void who_does_not_introduce_himself_is_dropped() throws IOException {
        for (byte[] first : List.of(
                text("GET / HTTP/1.0\r\n\r\n"),
                StoreClient.bytes(command(StoreCommands.VALIDATE).int32(1)),
                StoreClient.bytes(command(StoreCommands.GETNUMKEYS)),
                new byte[] {(byte) 0xff})) {
            try (var stranger = new StoreClient(server.port())) {
                stranger.send(first);
                assertThat(stranger.isClosed()).isTrue();
            }
        }
        assertStillServing();
    }

    @Test
    void random_bytes_after_the_handshake_harm_nobody_else() throws IOException {
        var random = new Random(5);
        for (int i = 0; i < 200; i++) {
            try (var stranger = StoreClient.validated(server.port())) {
                byte[] garbage = new byte[random.nextInt(200)];
                random.nextBytes(garbage);
                if (garbage.length > 0) {
                    garbage[0] = (byte) random.nextInt(20);
                }
                stranger.send(garbage);
            }
        }
        assertStillServing();
    }

    @Test
    void more_connections_than_a_job_needs_are_closed_and_members_stay() throws IOException {
        List<StoreClient> strangers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            strangers.add(new StoreClient(server.port()));
        }
        assertThat(strangers.get(199).isClosed()).isTrue();
        assertStillServing();
        for (StoreClient stranger : strangers) {
            stranger.close();
        }
    }

    private void assertStillServing() throws IOException {
        client.set("still", "here");
        assertThat(client.get("still")).isEqualTo("here");
    }

    @Test
    void an_addition_to_a_text_costs_the_connection_only() throws IOException {
        client.set("k", "text");
        try (var other = StoreClient.validated(server.port())) {
            other.send(command(StoreCommands.ADD).bytes(text("k")).int64(1));
            assertThat(other.isClosed()).isTrue();
        }
        assertThat(client.get("k")).isEqualTo("text");
    }

    @Test
    void keys_are_bytes_of_any_value() throws IOException {
        client.set("schlüssel/鍵", "wert");
        assertThat(client.get("schlüssel/鍵")).isEqualTo("wert");
    }

    @Test
    void a_taken_port_is_refused_with_its_owner() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var address = new InetSocketAddress(taken.getInetAddress(), taken.getLocalPort());
            assertThatThrownBy(() -> StoreServer.open(address, 1))
                    .isInstanceOfSatisfying(
                            LaunchException.class, e -> assertThat(e.reason()).isEqualTo(Cause.RENDEZVOUS))
                    .hasMessageContaining(":" + taken.getLocalPort())
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
        }
    }

    @Test
    void the_owner_of_a_socket_is_found_in_the_kernels_table() throws Exception {
        String table = """
                  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
                   0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 12345 1
                   1: 0000000000000000FFFF00000100007F:C351 0000000000000000FFFF00000100007F:1F90 01 0:0 00:0 0  1001 0 7 1
                """;
        var loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        var service = new InetSocketAddress(loopback, 8080);
        assertThat(SocketTable.owner(table.lines(), service, new InetSocketAddress(loopback, 50000)))
                .hasValue(1000);
        assertThat(SocketTable.owner(table.lines(), new InetSocketAddress(loopback, 50001), service))
                .hasValue(1001);
        assertThat(SocketTable.owner(table.lines(), service, service)).isEmpty();
    }
}

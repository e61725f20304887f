package jdiff.launcher.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HugePagesTest {
    @TempDir
    Path root;

    @Test
    void they_pay_on_a_real_machine() {
        assertThat(HugePages.pay(root)).isTrue();
    }

    @Test
    void they_pay_beside_a_balloon_that_keeps_free_pages_to_itself() throws IOException {
        device("virtio0", "0x0005", "0110000100000000");
        device("virtio1", "0x0002", "0010010001100000");
        assertThat(HugePages.pay(root)).isTrue();
    }

    @Test
    void they_do_not_pay_where_the_host_takes_free_pages_back() throws IOException {
        device("virtio3", "0x0005", "0110010100000000");
        assertThat(HugePages.pay(root)).isFalse();
    }

    private void device(String name, String number, String features) throws IOException {
        Path device =
                Files.createDirectories(root.resolve("sys/bus/virtio/devices").resolve(name));
        Files.writeString(device.resolve("device"), number + "\n");
        Files.writeString(device.resolve("features"), features + "\n");
    }
}

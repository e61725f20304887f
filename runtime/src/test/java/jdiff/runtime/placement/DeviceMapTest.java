package jdiff.runtime.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Random;
import jdiff.runtime.tensor.Device;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceMapTest {
    @Test
    void words_and_objects_are_read() {
        assertThat(DeviceMap.parse("cuda")).isEqualTo(DeviceMap.CUDA);
        assertThat(DeviceMap.parse(" cpu ")).isEqualTo(DeviceMap.CPU);
        assertThat(DeviceMap.parse("cuda:3")).isEqualTo(new DeviceMap.Single("cuda:3", Device.cuda(3)));
        assertThat(DeviceMap.parse("balanced")).isEqualTo(new DeviceMap.Balanced("balanced"));
        assertThat(DeviceMap.parse("auto")).isEqualTo(new DeviceMap.Balanced("auto"));
        assertThat(
                        DeviceMap.parse(
                                "{\"transformer\": 0, \"vae\": \"cuda:1\", \"\": \"cpu\", \"transformer.transformer_blocks.12\": 2}"))
                .isInstanceOfSatisfying(
                        DeviceMap.Explicit.class,
                        map -> assertThat(map.devices())
                                .isEqualTo(Map.of(
                                        "transformer",
                                        Device.cuda(0),
                                        "vae",
                                        Device.cuda(1),
                                        "",
                                        Device.CPU,
                                        "transformer.transformer_blocks.12",
                                        Device.cuda(2))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    ``                         | device map "" is not supported; use cuda, cpu, cuda:N, balanced or a JSON object
                    sequential                 | device map "sequential" is not supported; use cuda, cpu, cuda:N, balanced
                    cuda:x                     | device map "cuda:x" is not supported
                    cuda:                      | is not supported
                    cuda:-1                    | is not supported
                    cuda:99999                 | is not supported
                    CUDA                       | device map "CUDA" is not supported
                    cpu:1                      | device map "cpu:1" is not supported
                    disk                       | disk placement is not supported
                    {"vae": "disk"}            | disk placement is not supported
                    {}                         | {component: device} (the object is empty)
                    {"vae": 0                  | is not supported
                    {"vae": 0} x               | is not supported
                    {"vae": 0, "vae": 1}       | is not supported
                    {"vae": -1}                | the device of "vae" must be a number, "cuda:N" or "cpu", not -1
                    {"vae": 1.0}               | not 1.0
                    {"vae": "1"}               | not 1
                    {"vae": null}              | not null
                    {"vae": {"decoder": 0}}    | must be a number
                    {"vae": [0]}               | must be a number
                    """)
    void anything_else_is_refused_by_name(String text, String message) {
        assertThatThrownBy(() -> DeviceMap.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void no_text_makes_anything_but_a_map_or_a_refusal() {
        Random random = new Random(1);
        String letters = "{}[]\":,.0123456789 cudapbln-\u0000é";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "{\"" : "");
            for (int n = random.nextInt(20); n > 0; n--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            try {
                assertThat(DeviceMap.parse(text.toString())).isNotNull();
                MaxMemory.parse(text.toString());
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
    }

    @Test
    void sizes_are_decimal_or_binary() {
        assertThat(MaxMemory.parse("0=20GiB, cuda:1 = 1.5GB,cpu=64 MiB,2=1000,3=5mb,4=0")
                        .bytes())
                .isEqualTo(Map.of(
                        Device.cuda(0),
                        20L << 30,
                        Device.cuda(1),
                        1_500_000_000L,
                        Device.CPU,
                        64L << 20,
                        Device.cuda(2),
                        1000L,
                        Device.cuda(3),
                        5_000_000L,
                        Device.cuda(4),
                        0L));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "20GiB",
                "0=",
                "=1GiB",
                "x=1GiB",
                "0=1G",
                "0=-1GiB",
                "0=1e9",
                "0=GiB",
                "0=1.2.3GB",
                "0=99999999999GiB",
                "0=1GiB,",
                "0=1GiB,0=2GiB",
                "0=1GiB,cuda:0=2GiB",
                "disk=1GB"
            })
    void a_bad_limit_is_refused_by_its_part(String text) {
        assertThatThrownBy(() -> MaxMemory.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("max memory \"" + text.substring(text.lastIndexOf(',') + 1) + "\": ");
    }

    @ParameterizedTest
    @CsvSource({"0, 0 kB", "29_400_000, 29 MB", "9_999_999_999, 10000 MB", "40_861_000_000, 40.9 GB", "1500, 2 kB"})
    void sizes_are_shown_short(String bytes, String shown) {
        assertThat(ByteSize.shown(Long.parseLong(bytes.replace("_", "")))).isEqualTo(shown);
    }
}

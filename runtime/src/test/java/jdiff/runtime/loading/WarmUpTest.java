package jdiff.runtime.loading;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarmUpTest {
    private static final long MIB = 1L << 20;

    /** In MiB. */
    @ParameterizedTest
    @CsvSource({
        "4000, 8000, 8000, 4000", // all that is wanted
        "8000, 8000, 8000, 7488", // less 512 MiB
        "80000, 70000, 80000, 66000", // less 5 %
        "3000, 600, 8000, 88",
        "3000, 512, 8000, 0",
        "3000, 100, 8000, 0", // never negative
        "3000, 0, 8000, 0",
        "0, 8000, 8000, 0",
        "10, 8000, 8000, 10", // small ones need no more than they are
    })
    void a_device_keeps_a_margin(long wanted, long free, long total, long expected) {
        assertThat(LoadStrategy.warmUpBytes(wanted * MIB, free * MIB, total * MIB))
                .isEqualTo(expected * MIB);
    }
}

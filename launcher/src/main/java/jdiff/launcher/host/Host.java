package jdiff.launcher.host;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * This machine as the plan sees it.
 *
 * @param cpus usable CPUs, at least 1
 * @param gpus visible GPUs: opaque entries of CUDA_VISIBLE_DEVICES or device numbers
 * @param utf8Locale whether the environment selects a UTF-8 character type
 * @param hugePages whether they make memory cheaper
 * @param environment the launcher's own environment
 */
public record Host(
        String name,
        int cpus,
        List<String> gpus,
        boolean utf8Locale,
        boolean hugePages,
        Map<String, String> environment) {
    public Host {
        gpus = List.copyOf(gpus);
        environment = Collections.unmodifiableMap(new TreeMap<>(environment));
    }

    /** The name of this host, from the kernel; nothing is looked up. */
    public static String localName() {
        return HostName.read();
    }

    /** Reads the facts of the machine this runs on. */
    public static Host current(Map<String, String> environment) {
        return new Host(
                HostName.read(),
                UsableCpus.of(environment, Path.of("/")).count(),
                Gpus.visible(environment),
                Locales.isUtf8(environment),
                HugePages.pay(Path.of("/")),
                environment);
    }
}

package jdiff.launcher.host;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Which character type the environment selects, by POSIX precedence. */
final class Locales {
    private Locales() {}

    static boolean isUtf8(Map<String, String> environment) {
        for (String name : List.of("LC_ALL", "LC_CTYPE", "LANG")) {
            String value = environment.get(name);
            if (value != null && !value.isEmpty()) {
                String lower = value.toLowerCase(Locale.ROOT);
                return lower.contains("utf-8") || lower.contains("utf8");
            }
        }
        return false;
    }
}

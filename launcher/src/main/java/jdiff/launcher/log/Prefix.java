package jdiff.launcher.log;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import jdiff.launcher.Names;

/** What a line on the console begins with: nothing, {@code [rank 3] }, torchrun's {@code [default3]:}, or the user's template. */
final class Prefix {
    private final byte[] stdout;
    private final byte[] stderr;

    private Prefix(byte[] stdout, byte[] stderr) {
        this.stdout = stdout;
        this.stderr = stderr;
    }

    byte[] stdout() {
        return stdout;
    }

    byte[] stderr() {
        return stderr;
    }

    static Prefix of(LogRules rules, int rank, int localRank, boolean teeOut, boolean teeErr) {
        String template = rules.environment().getOrDefault(Names.LOG_LINE_PREFIX_TEMPLATE, "");
        boolean own = !template.isEmpty();
        Map<String, String> values = Map.of(
                "${role_name}", rules.role(),
                "${rank}", Integer.toString(rank),
                "${local_rank}", Integer.toString(localRank));
        for (var value : values.entrySet()) {
            template = template.replace(value.getKey(), value.getValue());
        }
        String torchrun = own ? template : "[" + rules.role() + localRank + "]:";
        String plain = own ? template : "[rank " + rank + "] ";
        String err = teeErr ? torchrun : rules.worldSize() > 1 ? plain : "";
        return new Prefix(bytes(teeOut ? torchrun : ""), bytes(err));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

package jdiff.runtime.weights;

import java.nio.file.Path;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.config.PlainName;
import jdiff.runtime.config.Utf8;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/** Fuzz target: any text is an index of plain file names or is refused with its place, and nothing else happens. */
public final class WeightIndexFuzz {
    private static final Path FILE = Path.of("fuzzed.index.json");

    private WeightIndexFuzz() {}

    /** Called by Jazzer; also by tests, with the files that it found. */
    public static void fuzzerTestOneInput(byte[] file) {
        String text = Utf8.decode(file, file.length);
        if (text == null) {
            return;
        }
        WeightIndex index;
        try {
            index = WeightIndex.read(FILE, JsonReader.of(FILE.toString(), text));
        } catch (FaultException e) {
            require(e.fault() == Fault.BAD_INPUT, "fault " + e.fault());
            require(e.getMessage().matches("(?s)fuzzed\\.index\\.json:\\d+:\\d+: .*"), "place: " + e.getMessage());
            require(e.getMessage().length() < 5000, "endless message");
            return;
        }
        String total = index.totalSize();
        require(total == null || total.matches("-?[0-9]{1,40}( ?… .*)?"), "total " + total);
        for (String shard : index.shards()) {
            require(PlainName.isPlain(shard), "shard " + shard);
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}

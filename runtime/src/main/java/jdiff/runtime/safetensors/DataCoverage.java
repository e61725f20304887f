package jdiff.runtime.safetensors;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import jdiff.runtime.config.Shown;
import jdiff.runtime.safetensors.HeaderFindings.Rule;
import org.jspecify.annotations.Nullable;

/** The data must be covered exactly: sorted by begin, each tensor starts where the one before ends, the last at the file's end. */
final class DataCoverage {
    private static final Comparator<TensorEntry> BY_PLACE =
            Comparator.comparingLong(TensorEntry::begin).thenComparingLong(TensorEntry::bytes);

    private DataCoverage() {}

    /**
     * Checks tensors whose begin is counted from the start of the data.
     *
     * @param dataStart offset of the first data byte in the file
     */
    static void check(Collection<TensorEntry> entries, long dataStart, long fileSize, HeaderFindings findings) {
        TensorEntry[] sorted = entries.toArray(new TensorEntry[0]);
        Arrays.sort(sorted, BY_PLACE);
        long end = 0;
        TensorEntry before = null;
        for (TensorEntry entry : sorted) {
            if (entry.begin() != end) {
                String broken = broken(before, end, entry);
                findings.add(Rule.COVERAGE, () -> broken);
                return;
            }
            end += entry.bytes();
            before = entry;
        }
        long expected = dataStart + end;
        if (expected != fileSize) {
            findings.add(
                    Rule.END,
                    () -> "the header describes a file of " + Long.toUnsignedString(expected) + " bytes, found "
                            + fileSize + ": "
                            + (expected < 0 || expected > fileSize
                                    ? Long.toUnsignedString(expected - fileSize)
                                            + " bytes missing (truncated or incomplete download)"
                                    : fileSize - expected + " bytes too many"));
        }
    }

    private static String broken(@Nullable TensorEntry before, long end, TensorEntry entry) {
        String first = before == null ? "the start of the data" : "tensor " + Shown.cut(before.name(), 200);
        String second = "tensor " + Shown.cut(entry.name(), 200);
        return entry.begin() > end
                ? "bytes " + end + ".." + entry.begin() + " of the data, between " + first + " and " + second
                        + ", belong to no tensor"
                : second + " begins at byte " + entry.begin() + " of the data, inside " + first + " which ends at "
                        + end + ": they overlap";
    }
}

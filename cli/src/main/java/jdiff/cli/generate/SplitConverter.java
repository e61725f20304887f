package jdiff.cli.generate;

import jdiff.runtime.job.DpSplit;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code dynamic} or {@code static}. */
final class SplitConverter implements ITypeConverter<DpSplit> {
    @Override
    public DpSplit convert(String value) {
        for (DpSplit split : DpSplit.values()) {
            if (split.toString().equals(value)) {
                return split;
            }
        }
        throw new TypeConversionException("expected dynamic or static, not '" + value + "'");
    }
}

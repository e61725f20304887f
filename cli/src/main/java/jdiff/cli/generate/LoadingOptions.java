package jdiff.cli.generate;

import java.util.Map;
import jdiff.runtime.loading.LoadSettings;
import jdiff.runtime.loading.WeightsIo;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How the weights are read. */
final class LoadingOptions {
    @Option(
            names = "--variant",
            paramLabel = "NAME",
            description = "Weight files of this variant, for instance fp16; a component without it is read without.")
    @Nullable String variant;

    @Option(
            names = "--strict",
            description = "Refuse weights with tensors that the model has no use for (default: warn).")
    boolean strict;

    @Option(
            names = "--parallel-loading",
            paramLabel = "BOOL",
            arity = "0..1",
            fallbackValue = "true",
            description =
                    "Read with several threads, or with one (default: HF_ENABLE_PARALLEL_LOADING; without it, up to four"
                            + " threads for each processor, at most 8).")
    @Nullable Boolean parallel;

    @Option(
            names = "--loading-workers",
            paramLabel = "N",
            description =
                    "Most threads that read in each process, 1 to 256; those beyond one for each processor start when a disk is"
                            + " waited for (default: HF_PARALLEL_LOADING_WORKERS; with parallel loading asked for, 8).")
    @Nullable Integer workers;

    @Option(
            names = "--weights-io",
            paramLabel = "HOW",
            defaultValue = "auto",
            converter = IoConverter.class,
            description =
                    "read, mmap, direct or auto: local files that go to the CPU are mapped, to be the weights where dtype and"
                            + " order stay, else to be copied from while the page cache holds them; all others are read, past the"
                            + " page cache if they exceed the memory. Mapped files must not change while jdiff runs: one that"
                            + " shrinks ends the process; read is safe from that (default: ${DEFAULT-VALUE}).")
    WeightsIo io = WeightsIo.AUTO;

    @Option(
            names = "--no-warmup",
            description = "Do not reserve GPU memory in one piece before it is filled (default: reserve it).")
    boolean noWarmUp;

    @Option(
            names = "--verify-weights",
            description =
                    "Compare the SHA-256 of the weight files with their names in the hub cache while pictures are made; a damaged"
                            + " file ends the job (exit code 65).")
    boolean verify;

    /**
     * What these options and the variables of the same meaning say.
     *
     * @throws IllegalArgumentException naming the variable or the option that is wrong
     */
    LoadSettings settings(Map<String, String> environment) {
        if (workers != null && (workers < 1 || workers > LoadSettings.MAX_READERS)) {
            throw new IllegalArgumentException(
                    "--loading-workers " + workers + " is not a whole number from 1 to " + LoadSettings.MAX_READERS);
        }
        return LoadSettings.of(environment, parallel, workers).withIo(io).withWarmUp(!noWarmUp);
    }

    /** The word for a way to read. */
    static final class IoConverter implements ITypeConverter<WeightsIo> {
        @Override
        public WeightsIo convert(String value) {
            try {
                return WeightsIo.of(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}

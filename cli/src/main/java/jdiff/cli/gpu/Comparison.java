package jdiff.cli.gpu;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import jdiff.cli.gpu.GoldenCase.Precision;
import jdiff.runtime.tensor.Device;
import org.jspecify.annotations.Nullable;

/**
 * Runs a case on the CPU and on other devices. Limits: float32 must give the picture but for rounding (50 dB is less than one
 * level in most values); bfloat16 may differ as bfloat16 does between any two machines (30 dB).
 */
final class Comparison {
    private static final double FLOAT32_DB = 50;
    private static final double BFLOAT16_DB = 30;

    private final List<Device> devices;

    /**
     * @param devices the CPU first
     */
    Comparison(List<Device> devices) {
        this.devices = List.copyOf(devices);
    }

    List<Row> rows(GoldenCase golden) {
        List<Row> rows = new ArrayList<>();
        for (Precision precision : Precision.values()) {
            @Nullable List<byte[]> onCpu = null;
            for (Device device : devices) {
                String dtype = precision.name().toLowerCase(Locale.ROOT);
                try {
                    CaseRun run = CaseRun.run(golden, precision, device);
                    rows.add(row(golden, precision, device, run, onCpu));
                    onCpu = onCpu == null ? run.pictures() : onCpu;
                } catch (IOException | RuntimeException e) {
                    rows.add(Row.failure(golden.name(), dtype, device.toString(), String.valueOf(e.getMessage())));
                }
            }
        }
        return rows;
    }

    private static Row row(
            GoldenCase golden, Precision precision, Device device, CaseRun run, @Nullable List<byte[]> onCpu)
            throws IOException {
        double limit = precision == Precision.FLOAT32 ? FLOAT32_DB : BFLOAT16_DB;
        List<byte[]> expected = golden.expected(precision);
        double toDiffusers = expected.isEmpty() ? Double.NaN : CaseRun.psnr(run.pictures(), expected);
        double toCpu = onCpu == null ? Double.NaN : CaseRun.psnr(run.pictures(), onCpu);
        boolean far = toDiffusers < limit || toCpu < limit; // NaN is no comparison, so no fault
        return new Row(
                golden.name(),
                precision.name().toLowerCase(Locale.ROOT),
                device.toString(),
                toDiffusers,
                toCpu,
                run.secondsPerStep(),
                far ? "below " + limit + " dB" : "");
    }
}

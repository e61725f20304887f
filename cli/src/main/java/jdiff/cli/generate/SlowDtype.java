package jdiff.cli.generate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import jdiff.runtime.pipeline.ComponentDTypes;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Warns where half precision on a CPU costs time instead of saving it. */
final class SlowDtype {
    private static final Logger LOG = LogManager.getLogger();
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    private SlowDtype() {}

    static void warn(ComponentDTypes dtypes, Device device) {
        boolean bfloat16 =
                dtypes.general() == DType.BF16 || dtypes.byComponent().containsValue(DType.BF16);
        boolean float16 = dtypes.general() == DType.F16 || dtypes.byComponent().containsValue(DType.F16);
        if (device.type() != Device.Type.CPU || !(bfloat16 || float16)) {
            return;
        }
        String features = features();
        if ((bfloat16 && !features.contains("avx512_bf16") && !features.contains("amx_bf16"))
                || (float16 && !features.contains("avx512_fp16"))) {
            LOG.warn("this CPU has no fast {}: --dtype float32 may be several times faster", dtypes);
        }
    }

    private static String features() {
        try {
            return Files.readString(CPU_INFO, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "avx512_bf16 avx512_fp16"; // Unknown: better silent than wrong.
        }
    }
}

package jdiff.cli.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class GpuCheckMainTest {
    @Test
    void without_a_gpu_it_says_why_and_runs_the_half_of_the_cpu() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int code;
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            code = GpuCheckMain.run(Path.of(".."), List.of("qwen_image"), out);
        }
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertThat(text)
                .contains("no GPU can be used")
                .contains("collectives on cpu: ok")
                .containsPattern("qwen_image +float32 +cpu +\\d+\\.\\d +- +\\d\\.\\d+ +ok")
                .containsPattern("qwen_image +bfloat16 +cpu +\\d+\\.\\d +- +\\d\\.\\d+ +ok");
        assertThat(code).isEqualTo(78);
    }

    @Test
    void distance_is_that_of_the_worst_picture() {
        byte[] zero = {0, 0};
        assertThat(CaseRun.psnr(List.of(zero), List.of(zero))).isInfinite();
        assertThat(CaseRun.psnr(List.of(zero, new byte[] {0, (byte) 255}), List.of(zero, zero)))
                .isCloseTo(3.01, Offset.offset(0.01));
    }
}

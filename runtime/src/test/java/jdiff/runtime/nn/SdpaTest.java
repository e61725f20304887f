package jdiff.runtime.nn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import jdiff.runtime.golden.Golden;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attention against float64 references; tolerances of golden's README (logits up to ±100 lose two digits in float32). */
class SdpaTest {
    @ParameterizedTest
    @CsvSource({
        "self, 1e-5",
        "cross, 1e-5",
        "one_query, 1e-5",
        "padding, 1e-5",
        "holes, 1e-5",
        "masked_blocks, 1e-5",
        "large_logits, 1e-4",
        "bfloat16, 2e-2"
    })
    void attention_with_a_key_mask_equals_the_reference(String name, double tolerance) throws IOException {
        Golden golden = Golden.open("components/attention.safetensors");
        Tensor mask = golden.has(name + ".mask")
                ? golden.tensor(name + ".mask").squeeze(1).squeeze(1)
                : null; // [B, S]
        Qkv qkv = new Qkv(heads(golden, name, "query"), heads(golden, name, "key"), heads(golden, name, "value"));
        Tensor out = new Sdpa().forward(qkv, mask).transpose(1, 2);
        assertClose(out, golden.tensor(name + ".output"), tolerance);
    }

    @ParameterizedTest
    @CsvSource({"gqa, 1e-5", "gqa_padding, 1e-5", "masked_rows, 1e-5", "additive, 1e-5", "additive_per_head, 1e-5"})
    void the_kernel_takes_grouped_heads_and_every_mask(String name, double tolerance) throws IOException {
        Golden golden = Golden.open("components/attention.safetensors");
        Tensor q = golden.tensor(name + ".query");
        Tensor out = Functional.scaledDotProductAttention(
                q,
                golden.tensor(name + ".key"),
                golden.tensor(name + ".value"),
                golden.has(name + ".mask") ? golden.tensor(name + ".mask") : null,
                false,
                1 / Math.sqrt((double) q.size(-1)),
                name.startsWith("gqa"));
        assertClose(out, golden.tensor(name + ".output"), tolerance);
    }

    private static Tensor heads(Golden golden, String name, String part) {
        return golden.tensor(name + "." + part).transpose(1, 2).contiguous(); // [B, S, H, D]
    }

    private static void assertClose(Tensor actual, Tensor expected, double tolerance) {
        Tensor difference = actual.to(DType.F64).sub(expected).abs();
        assertThat(difference.max().item()).isLessThanOrEqualTo(tolerance);
    }
}

package jdiff.runtime.model.autoencoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import jdiff.runtime.config.Config;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.golden.Golden;
import jdiff.runtime.nn.Clip;
import jdiff.runtime.nn.Conv2d;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Checkpoint;
import jdiff.runtime.weights.DTypeRule;
import jdiff.runtime.weights.LoadRules;
import jdiff.runtime.weights.Weights;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against Diffusers; float32 tolerances are those of golden's README for {@code decoded}. */
class CausalAutoencoderTest {
    private static final double LARGEST = 4e-4;
    private static final double RMS = 5e-5;
    // Diffusers' own bfloat16 run is 0.10 and 0.014 from its float32 run; twice that.
    private static final double BF16_LARGEST = 0.2;
    private static final double BF16_RMS = 0.03;
    // Only kernels differ, chosen by the number of frames: measured 1e-6.
    private static final double REORDERED = 1e-5;

    private static final Path DEMO = Path.of("../models/demo/vae");

    private final long before = Scope.liveTensors();
    private final Scope scope = Scope.keep();

    @AfterEach
    void nothing_is_left() {
        scope.close();
        assertThat(Scope.liveTensors()).isEqualTo(before);
    }

    private <T> T load(Path folder, LoadRules rules, BiFunction<CausalAutoencoderConfig, Weights, T> model)
            throws IOException {
        ModelFolder vae = ModelFolder.open(folder);
        CausalAutoencoderConfig config = CausalAutoencoderConfig.ofQwenImage(Config.read(vae.file("config.json")));
        Checkpoint checkpoint = Checkpoint.open(vae, "diffusion_pytorch_model");
        return Weights.plan(checkpoint, rules.strictly(true), w -> model.apply(config, w))
                .load(Device.CPU, scope);
    }

    private static LoadRules rules(DType dtype) {
        return LoadRules.of("vae", DTypeRule.of(dtype));
    }

    private CausalAutoencoder golden(String name, DType dtype) throws IOException {
        return load(Golden.path(name + "/model/vae"), rules(dtype), CausalAutoencoder::new);
    }

    /** A reference tensor that lives as long as the test. */
    private Tensor expected(String file, String name) throws IOException {
        Golden golden = Golden.open(file);
        return scope.hold(() -> golden.tensor(name));
    }

    private Tensor video(String name) throws IOException {
        return expected("autoencoder/video.safetensors", name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"qwen_image", "qwen_image_batch"})
    void pictures_decode_as_in_diffusers(String name) throws IOException {
        CausalAutoencoder vae = golden(name, DType.F32);
        Tensor latents = expected(name + "/expected.safetensors", "decoder_input");
        Tensor decoded = expected(name + "/expected.safetensors", "decoded");
        Scope.tidy(() -> {
            long live = Scope.liveTensors();
            Tensor pixels = vae.decode(latents);
            assertThat(Scope.liveTensors()).as("the pixels and nothing else").isEqualTo(live + 1);
            Golden.assertWithin(LARGEST, RMS, pixels, decoded, name);
            Tensor again = vae.decode(vae.denormalize(vae.normalize(latents)));
            Golden.assertWithin(LARGEST, RMS, again, decoded, name + ", normalised and back");
        });
    }

    private record Parts(Conv2d postQuantConv, CausalDecoder decoder) {}

    @ParameterizedTest
    @ValueSource(strings = {"qwen_image", "qwen_image_batch"})
    void each_part_of_the_decoder_gives_what_it_gives_in_diffusers(String name) throws IOException {
        Parts vae = load(
                Golden.path(name + "/model/vae"),
                rules(DType.F32).ignoring("encoder.", "quant_conv."),
                (config, w) -> new Parts(
                        Conv2d.pointwise(w.at("post_quant_conv"), config.zDim(), config.zDim()),
                        new CausalDecoder(w.at("decoder"), config)));
        Tensor latents = expected(name + "/expected.safetensors", "decoder_input");
        int count = 0;
        for (String part : List.of("conv_in", "mid_block", "up_blocks.0")) {
            List<CausalBlock> blocks = vae.decoder.blocks().subList(0, ++count);
            Tensor traced = expected(name + "/trace.safetensors", "decoder." + part);
            Scope.tidy(() -> {
                Tensor z =
                        vae.postQuantConv.forward(latents.permute(0, 2, 3, 4, 1).contiguous());
                Tensor x = CausalBlock.chain(Clip.whole(z), blocks).frames().permute(0, 4, 1, 2, 3);
                Golden.assertWithin(LARGEST, RMS, x, traced, part);
            });
        }
    }

    @Test
    void a_video_decodes_as_in_diffusers_in_any_chunks() throws IOException {
        CausalAutoencoder vae = golden("qwen_image", DType.F32);
        Tensor latents = video("latents");
        Tensor decoded = video("decoded");
        Scope.tidy(() -> {
            Tensor byFrame = vae.decode(latents);
            Golden.assertWithin(LARGEST, RMS, byFrame, decoded, "frame by frame");
            for (int chunk : new int[] {2, 3}) {
                Golden.assertWithin(REORDERED, REORDERED, vae.decode(latents, chunk), byFrame, "chunks of " + chunk);
            }
        });
    }

    @Test
    void a_video_and_a_picture_encode_as_in_diffusers() throws IOException {
        CausalAutoencoder vae = golden("qwen_image", DType.F32);
        Tensor pixels = video("pixels");
        Tensor encoded = video("encoded");
        Tensor picture = video("picture_encoded");
        Scope.tidy(() -> {
            Golden.assertWithin(LARGEST, RMS, vae.encode(pixels), encoded, "video");
            Golden.assertWithin(LARGEST, RMS, vae.encode(pixels.narrow(2, 0, 1)), picture, "picture");
        });
    }

    @ParameterizedTest
    @CsvSource({"9, 4", "5, 4", "1, 8"})
    void chunks_do_not_change_what_a_video_encodes_to(int first, int others) throws IOException {
        CausalAutoencoder vae = golden("qwen_image", DType.F32);
        Tensor pixels = video("pixels");
        Scope.tidy(() -> {
            Tensor usual = vae.encode(pixels);
            Golden.assertWithin(REORDERED, REORDERED, vae.encode(pixels, first, others), usual, "chunks");
        });
    }

    @Test
    void a_picture_is_the_first_frame_of_a_video() throws IOException {
        CausalAutoencoder vae = golden("qwen_image", DType.F32);
        Tensor latents = video("latents");
        Tensor pixels = video("pixels");
        Scope.tidy(() -> {
            Tensor decoded = vae.decode(latents.narrow(2, 0, 1));
            assertThat(decoded.equal(vae.decode(latents).narrow(2, 0, 1))).isTrue();
            Tensor encoded = vae.encode(pixels.narrow(2, 0, 1));
            assertThat(encoded.equal(vae.encode(pixels).narrow(2, 0, 1))).isTrue();
        });
    }

    @Test
    void bfloat16_is_as_near_as_diffusers_own() throws IOException {
        CausalAutoencoder vae = golden("qwen_image", DType.BF16);
        Tensor latents = video("latents");
        Tensor decoded = video("decoded");
        Tensor pixels = video("pixels");
        Tensor encoded = video("encoded");
        Scope.tidy(() -> {
            Tensor found = vae.decode(latents.to(DType.BF16));
            assertThat(found.dtype()).isEqualTo(DType.BF16);
            Golden.assertWithin(BF16_LARGEST, BF16_RMS, found, decoded, "decoded");
            Golden.assertWithin(BF16_LARGEST, BF16_RMS, vae.encode(pixels.to(DType.BF16)), encoded, "encoded");
        });
    }

    @Test
    void the_demo_model_decodes_its_golden_latents() throws IOException {
        CausalAutoencoder vae = load(
                DEMO,
                rules(DType.F32).ignoring(CausalAutoencoder.ENCODER_NAMES.toArray(String[]::new)),
                CausalAutoencoder::decoderOnly);
        Tensor packed = expected("demo_model/expected.safetensors", "latents"); // [4, 8 * 8 tokens, (c, dy, dx)]
        Tensor images = expected("demo_model/expected.safetensors", "image");
        Scope.tidy(() -> {
            Tensor latents =
                    packed.view(4, 8, 8, 16, 2, 2).permute(0, 3, 1, 4, 2, 5).reshape(4, 16, 1, 16, 16);
            Tensor pixels = vae.decode(vae.denormalize(latents)); // [4, 3, 1, 128, 128]
            Tensor levels = pixels.mul(0.5)
                    .add(0.5)
                    .clamp(0, 1)
                    .mul(255)
                    .round()
                    .to(DType.U8)
                    .squeeze(2)
                    .permute(0, 2, 3, 1)
                    .contiguous();
            Golden.assertOneLevel(levels.toBytes(), images.toBytes(), 0.002);
            assertThatThrownBy(() -> vae.encode(pixels))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("without its encoder");
        });
    }

    @Test
    void encoding_undoes_decoding_where_the_model_is_trained() throws IOException {
        CausalAutoencoder vae = load(DEMO, rules(DType.F32), CausalAutoencoder::new);
        Tensor images = expected("demo_model/expected.safetensors", "image"); // [4, 128, 128, 3]
        Scope.tidy(() -> {
            Tensor pixels = images.to(DType.F32)
                    .mul(2.0 / 255)
                    .add(-1)
                    .permute(0, 3, 1, 2)
                    .unsqueeze(2);
            Tensor decoded = vae.decode(vae.encode(pixels));
            // The demo model's own loss is 0.030; a wrong encoder is above 0.5.
            assertThat(Golden.distance(decoded, pixels).rms()).isLessThan(0.05);
        });
    }

    @Test
    void tensors_of_another_shape_are_refused_with_what_is_wanted() throws IOException {
        CausalAutoencoder vae = golden("qwen_image", DType.F32);
        Scope.tidy(() -> {
            assertThatThrownBy(() -> vae.decode(zeros(1, 4, 1, 2, 2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("latents [B, 16, T, h, w]")
                    .hasMessageContaining("float32[1, 4, 1, 2, 2]");
            assertThatThrownBy(() -> vae.encode(zeros(1, 3, 1, 16, 12)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("multiples of 8");
            assertThatThrownBy(() -> vae.encode(zeros(1, 3, 4, 16, 16)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("4k + 1 frames");
        });
    }

    private static Tensor zeros(long... shape) {
        return Tensor.zeros(DType.F32, Device.CPU, shape);
    }
}

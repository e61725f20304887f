package jdiff.runtime.model.autoencoder;

import java.util.List;
import jdiff.runtime.nn.Conv2d;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;
import org.jspecify.annotations.Nullable;

/**
 * The causal video autoencoder of Qwen-Image ({@code AutoencoderKLQwenImage}); that of Wan 2.1 and of Wan 2.2 with 16 channels
 * ({@code AutoencoderKLWan}) has the same layers and names. A frame depends on itself and on earlier ones only, so a picture is
 * a video of one frame and a long video goes through in chunks.
 */
public final class CausalAutoencoder implements Autoencoder {
    /** Beginnings of the names that only {@link #encode} needs. */
    public static final List<String> ENCODER_NAMES = List.of("encoder.", "quant_conv.");

    /** The encoder and what makes moments of its result. */
    private record Encoding(CausalEncoder encoder, Conv2d quantConv) {
        static Encoding of(CausalAutoencoderConfig config, Weights w) {
            long moments = 2L * config.zDim();
            return new Encoding(
                    new CausalEncoder(w.at("encoder"), config), Conv2d.pointwise(w.at("quant_conv"), moments, moments));
        }
    }

    private final CausalAutoencoderConfig config;
    private final @Nullable Encoding encoding;
    private final Conv2d postQuantConv;
    private final CausalDecoder decoder;
    private final LatentStatistics statistics;

    public CausalAutoencoder(CausalAutoencoderConfig config, Weights w) {
        this(config, w, Encoding.of(config, w));
    }

    private CausalAutoencoder(CausalAutoencoderConfig config, Weights w, @Nullable Encoding encoding) {
        this.config = config;
        this.encoding = encoding;
        this.postQuantConv = Conv2d.pointwise(w.at("post_quant_conv"), config.zDim(), config.zDim());
        this.decoder = new CausalDecoder(w.at("decoder"), config);
        this.statistics = new LatentStatistics(config.latentsMean(), config.latentsStd());
    }

    /** One that cannot {@link #encode}, for pipelines without pictures as input: {@link #ENCODER_NAMES} stay unread. */
    public static CausalAutoencoder decoderOnly(CausalAutoencoderConfig config, Weights w) {
        return new CausalAutoencoder(config, w, null);
    }

    /**
     * {@inheritDoc} Channels come last in the result's memory, as picture files want them.
     *
     * @throws IllegalArgumentException if the latents have another shape
     */
    @Override
    public Tensor decode(Tensor latents) {
        return decode(latents, 1);
    }

    /** Decodes {@code chunk} latent frames at a time. */
    Tensor decode(Tensor latents, int chunk) {
        requireShape(latents, config.zDim(), "latents [B, " + config.zDim() + ", T, h, w]");
        return Scope.tidy(
                () -> channelsFirst(Chunks.run(decoder, postQuantConv.forward(channelsLast(latents)), chunk, chunk)
                        .clamp(-1, 1)));
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the pixels have another shape, height or width is no multiple of
     *     {@link #spatialFactor}, or the number of frames is not a multiple of {@link #temporalFactor} plus 1
     */
    @Override
    public Tensor encode(Tensor pixels) {
        return encode(pixels, 1, temporalFactor());
    }

    /** Encodes {@code first} frames, then {@code others} at a time. */
    Tensor encode(Tensor pixels, int first, int others) {
        requireShape(pixels, config.pixelChannels(), "pixels [B, " + config.pixelChannels() + ", F, H, W]");
        if (pixels.size(3) % spatialFactor() != 0
                || pixels.size(4) % spatialFactor() != 0
                || pixels.size(2) % temporalFactor() != 1 % temporalFactor()) {
            throw new IllegalArgumentException("wanted pixels of height and width in multiples of " + spatialFactor()
                    + " and " + temporalFactor() + "k + 1 frames, found " + pixels);
        }
        if (encoding == null) {
            throw new IllegalStateException("this autoencoder was loaded without its encoder");
        }
        return Scope.tidy(() -> {
            Tensor coded = Chunks.run(encoding.encoder, channelsLast(pixels), first, others);
            Tensor moments = encoding.quantConv.forward(coded);
            return channelsFirst(moments.narrow(4, 0, config.zDim()))
                    .contiguous(); // the mean; the rest is the variance
        });
    }

    @Override
    public Tensor denormalize(Tensor latents) {
        return statistics.denormalize(latents);
    }

    @Override
    public Tensor normalize(Tensor latents) {
        return statistics.normalize(latents);
    }

    @Override
    public DType dtype() {
        return postQuantConv.dtype();
    }

    @Override
    public int spatialFactor() {
        return 1 << (config.levels() - 1);
    }

    @Override
    public int temporalFactor() {
        int factor = 1;
        for (boolean halves : config.temporalDownsample()) {
            factor *= halves ? 2 : 1;
        }
        return factor;
    }

    private static void requireShape(Tensor x, int channels, String wanted) {
        if (x.dim() != 5 || x.size(1) != channels || x.numel() == 0) {
            throw new IllegalArgumentException("wanted " + wanted + ", found " + x);
        }
    }

    private static Tensor channelsLast(Tensor x) {
        return x.permute(0, 2, 3, 4, 1).contiguous();
    }

    private static Tensor channelsFirst(Tensor x) {
        return x.permute(0, 4, 1, 2, 3);
    }
}

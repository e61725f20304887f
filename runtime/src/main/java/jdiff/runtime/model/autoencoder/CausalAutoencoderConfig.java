package jdiff.runtime.model.autoencoder;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import jdiff.runtime.config.Config;
import jdiff.runtime.fault.FaultException;

/**
 * Sizes of a causal video autoencoder.
 *
 * @param baseDim channels at full resolution
 * @param zDim latent channels
 * @param dimMult channels of each level as a multiple of {@code baseDim}, finest first; a level halves height and width
 * @param numResBlocks residual blocks per level of the encoder; the decoder has one more
 * @param temporalDownsample for each step between levels, whether it also halves the number of frames
 * @param pixelChannels channels of a pixel
 * @param latentsMean per latent channel, what {@code normalize} subtracts
 * @param latentsStd per latent channel, what it divides by
 */
public record CausalAutoencoderConfig(
        int baseDim,
        int zDim,
        List<Integer> dimMult,
        int numResBlocks,
        List<Boolean> temporalDownsample,
        int pixelChannels,
        List<Double> latentsMean,
        List<Double> latentsStd) {
    private static final int MAX = 1 << 20;
    private static final Set<String> KNOWN = Set.of(
            "base_dim",
            "z_dim",
            "dim_mult",
            "num_res_blocks",
            "attn_scales",
            "temperal_downsample",
            "dropout",
            "input_channels",
            "latents_mean",
            "latents_std");

    public CausalAutoencoderConfig {
        dimMult = List.copyOf(dimMult);
        temporalDownsample = List.copyOf(temporalDownsample);
        latentsMean = List.copyOf(latentsMean);
        latentsStd = List.copyOf(latentsStd);
        require(!dimMult.isEmpty() && dimMult.size() <= 16, "dim_mult must have 1 to 16 levels, not " + dimMult.size());
        require(dimMult.stream().allMatch(m -> m > 0 && m <= 1024), "dim_mult must be from 1 to 1024, not " + dimMult);
        require(
                temporalDownsample.size() == dimMult.size() - 1,
                "temperal_downsample must have one entry per step between the " + dimMult.size() + " levels, not "
                        + temporalDownsample.size());
        for (int multiple : dimMult) {
            require(
                    (long) baseDim * multiple <= MAX,
                    "base_dim " + baseDim + " times dim_mult " + multiple + " must be at most " + MAX);
        }
        for (int level = 1; level < dimMult.size(); level++) {
            require(
                    (long) baseDim * dimMult.get(level) % 2 == 0,
                    "base_dim " + baseDim + " times dim_mult " + dimMult.get(level)
                            + " must be even, since upsampling halves it");
        }
        require(
                latentsMean.size() == zDim,
                "latents_mean must have z_dim " + zDim + " values, not " + latentsMean.size());
        require(latentsStd.size() == zDim, "latents_std must have z_dim " + zDim + " values, not " + latentsStd.size());
        require(latentsStd.stream().allMatch(s -> s > 0), "latents_std must be above 0, not " + latentsStd);
    }

    /** Reads the {@code config.json} of an {@code AutoencoderKLQwenImage}; absent keys have the published model's values. */
    public static CausalAutoencoderConfig ofQwenImage(Config c) throws FaultException {
        c.requireValue("attn_scales", List.of());
        c.requireKnown(KNOWN);
        try {
            return new CausalAutoencoderConfig(
                    c.positive("base_dim", 96, MAX),
                    c.positive("z_dim", 16, MAX),
                    Arrays.stream(c.integers("dim_mult", 1, 2, 4, 4)).boxed().toList(),
                    c.positive("num_res_blocks", 2, 1000),
                    flags(c, "temperal_downsample", List.of(false, true, true)),
                    c.positive("input_channels", 3, MAX),
                    Arrays.stream(c.numbers("latents_mean", LatentStatistics.QWEN_IMAGE_MEAN))
                            .boxed()
                            .toList(),
                    Arrays.stream(c.numbers("latents_std", LatentStatistics.QWEN_IMAGE_STD))
                            .boxed()
                            .toList());
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            throw c.error(message.substring(0, message.indexOf(' ')), message);
        }
    }

    private static List<Boolean> flags(Config c, String key, List<Boolean> fallback) throws FaultException {
        if (!c.has(key)) {
            return fallback;
        }
        boolean[] values = c.flags(key);
        Boolean[] out = new Boolean[values.length];
        for (int i = 0; i < values.length; i++) {
            out[i] = values[i];
        }
        return List.of(out);
    }

    /** Channels of a level, finest first. */
    int channels(int level) {
        return baseDim * dimMult.get(level);
    }

    int levels() {
        return dimMult.size();
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}

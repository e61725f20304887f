package jdiff.runtime.model.autoencoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import jdiff.runtime.config.Config;
import jdiff.runtime.fault.FaultException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CausalAutoencoderConfigTest {
    private static CausalAutoencoderConfig read(String json) throws FaultException {
        return CausalAutoencoderConfig.ofQwenImage(Config.parse("config.json", json));
    }

    @Test
    void absent_keys_have_the_values_of_the_published_model_and_unknown_ones_are_ignored() throws IOException {
        CausalAutoencoderConfig config = read("{\"_class_name\": \"AutoencoderKLQwenImage\", \"something_new\": 3}");
        assertThat(config.baseDim()).isEqualTo(96);
        assertThat(config.dimMult()).containsExactly(1, 2, 4, 4);
        assertThat(config.numResBlocks()).isEqualTo(2);
        assertThat(config.temporalDownsample()).containsExactly(false, true, true);
        assertThat(config.latentsMean()).hasSize(16).startsWith(-0.7571);
        assertThat(config.latentsStd()).hasSize(16).endsWith(1.916);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"attn_scales\": [0.5]} | attn_scales",
                "{\"dim_mult\": []} | dim_mult must have 1 to 16 levels",
                "{\"dim_mult\": [1, -2, 4, 4]} | dim_mult must be from 1 to 1024",
                "{\"base_dim\": 1000000, \"dim_mult\": [1, 2, 4, 4]} | must be at most 1048576",
                "{\"base_dim\": 3, \"dim_mult\": [1, 1, 2, 2]} | must be even",
                "{\"temperal_downsample\": [true]} | temperal_downsample must have one entry per step",
                "{\"z_dim\": 8} | latents_mean must have z_dim 8 values, not 16",
                "{\"z_dim\": 1, \"latents_mean\": [0], \"latents_std\": [0]} | latents_std must be above 0",
                "{\"base_dim\": 0} | base_dim",
                "{\"temperal_downsample\": [1, 2, 3]} | temperal_downsample",
            })
    void what_is_not_covered_is_refused_with_the_key(String json, String message) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(FaultException.class).hasMessageContaining(message);
    }
}

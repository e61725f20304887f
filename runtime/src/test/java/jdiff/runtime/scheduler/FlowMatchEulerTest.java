package jdiff.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import jdiff.runtime.config.Config;
import jdiff.runtime.config.Json;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.golden.Golden;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Tensor;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowMatchEulerTest {
    private static final Offset<Double> SIGMA = Offset.offset(1e-6); // float32 near 1 has steps of 6e-8
    private static final Offset<Double> TIMESTEP = Offset.offset(1e-3); // 1000 sigmas

    @Test
    void all_schedules_of_diffusers_are_met() throws Exception {
        int calls = 0;
        JsonReader in = JsonReader.open(Golden.path("schedulers/euler.json"), JsonReader.SMALL);
        in.expect(JsonToken.START_OBJECT, "schedules and trajectories");
        while (in.more()) {
            boolean schedules = in.text().equals("schedules");
            in.next();
            while (schedules && in.more()) {
                calls += schedule(in);
            }
            if (!schedules) {
                in.skipCurrent();
            }
        }
        assertThat(calls).isGreaterThan(30);
    }

    private static int schedule(JsonReader in) throws FaultException {
        String name = "";
        Config config = null;
        boolean own = false;
        int calls = 0;
        while (in.more()) {
            switch (in.text()) {
                case "name" -> name = in.string("name");
                case "config" -> config = Config.parse(name, object(in));
                case "sigmas_argument" -> own = in.next() == JsonToken.VALUE_NULL;
                case "calls" -> {
                    in.next();
                    while (in.more()) {
                        FlowMatchEuler scheduler = FlowMatchEuler.read(Objects.requireNonNull(config));
                        call(name + " " + calls++, scheduler, Config.parse(name, currentObject(in)), own);
                    }
                }
                default -> in.skipNext();
            }
        }
        return calls;
    }

    private static void call(String name, FlowMatchEuler scheduler, Config call, boolean own) throws FaultException {
        int count = call.integer("num_inference_steps");
        long tokens = call.integer("image_seq_len", 1);
        Solver solver = scheduler.start(own ? new StepRequest(count, null, tokens) : StepRequest.linear(count, tokens));
        double[] timesteps = call.numbers("timesteps");
        double[] sigmas = call.numbers("sigmas");
        assertThat(solver.steps()).as(name).hasSize(timesteps.length);
        for (Step step : solver.steps()) {
            assertThat(step.t()).as(name).isCloseTo(timesteps[step.index()], TIMESTEP);
            assertThat((double) step.sigma()).as(name).isCloseTo(sigmas[step.index()], SIGMA);
            assertThat((double) step.nextSigma()).as(name).isCloseTo(sigmas[step.index() + 1], SIGMA);
        }
        if (call.has("mu")) {
            assertThat(scheduler.mu(tokens)).as(name).isCloseTo(call.number("mu"), Offset.offset(1e-12));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"euler", "euler_bf16"})
    void trajectories_equal_those_of_diffusers_bit_for_bit(String name) throws Exception {
        FlowMatchEuler scheduler = FlowMatchEuler.read(Config.parse(name, "{\"use_dynamic_shifting\": true}"));
        Golden golden = Golden.open("schedulers/euler.safetensors");
        float[] timesteps = golden.tensor(name + ".timesteps").toFloats();
        float[] sigmas = golden.tensor(name + ".sigmas").toFloats();
        Tensor latents = golden.tensor(name + ".sample");
        assertThat(latents.dtype()).isEqualTo(name.equals("euler") ? DType.F32 : DType.BF16);
        Solver solver = scheduler.start(StepRequest.linear(4, 1), 0.7);
        for (Step step : solver.steps()) {
            assertThat((float) step.t()).isEqualTo(timesteps[step.index()]);
            assertThat(step.sigma()).isEqualTo(sigmas[step.index()]);
            latents = solver.step(latents, golden.tensor(name + ".model_output." + step.index()), step);
            assertThat(latents.equal(golden.tensor(name + ".prev_sample." + step.index())))
                    .isTrue();
        }
    }

    @Test
    void the_check_values_of_the_formulas_are_met() throws FaultException {
        String qwen = "{\"use_dynamic_shifting\": true, \"max_image_seq_len\": 8192, \"max_shift\": 0.9, "
                + "\"shift_terminal\": 0.02}";
        assertThat(sigmas(qwen)).containsExactly(new double[] {1, .7667093, .4556137, .0199999, 0}, SIGMA);
        assertThat(sigmas("{\"use_dynamic_shifting\": true}"))
                .containsExactly(new double[] {1, .9045308, .7595109, .5128441, 0}, SIGMA);
        assertThat(sigmas("{}")).containsExactly(new double[] {1, .75, .5, .25, 0}, SIGMA);
        assertThat(sigmas("{\"invert_sigmas\": true}")).containsExactly(new double[] {0, .25, .5, .75, 1}, SIGMA);
    }

    @Test
    void a_single_step_with_a_terminal_level_stays_at_full_noise() throws FaultException {
        FlowMatchEuler scheduler = FlowMatchEuler.read(Config.parse("s", "{\"shift_terminal\": 0.02}"));
        assertThat(scheduler.start(StepRequest.linear(1, 1)).steps()).containsExactly(new Step(0, 1000, 1, 0));
    }

    @Test
    void what_is_not_supported_is_refused() {
        refused("{\"stochastic_sampling\": true}", "stochastic_sampling: supported here: false, found true");
        refused("{\"time_shift_type\": \"cubic\"}", "time_shift_type: supported here: one of [exponential, linear]");
        refused("{\"use_karras_sigmas\": true, \"use_beta_sigmas\": true}", "only one of karras");
        refused("{\"shift\": 0}", "shift: wanted a number above 0");
        assertThatThrownBy(() -> StepRequest.linear(0, 1)).hasMessageContaining("at least 1, got 0");
        assertThatThrownBy(() -> new StepRequest(2, new float[] {1}, 1)).hasMessageContaining("wanted 2, got 1");
        assertThatThrownBy(() -> new StepRequest(1, new float[] {Float.NaN}, 1)).hasMessageContaining("above 0");
    }

    private static void refused(String config, String message) {
        assertThatThrownBy(() -> FlowMatchEuler.read(Config.parse("s.json", config)))
                .hasMessageContaining(message);
    }

    private static double[] sigmas(String config) throws FaultException {
        List<Step> steps = FlowMatchEuler.read(Config.parse("s", config))
                .start(StepRequest.linear(4, 4096))
                .steps();
        double[] sigmas = new double[steps.size() + 1];
        for (Step step : steps) {
            sigmas[step.index()] = step.sigma();
            sigmas[step.index() + 1] = step.nextSigma();
        }
        return sigmas;
    }

    private static String object(JsonReader in) throws FaultException {
        in.expect(JsonToken.START_OBJECT, "an object");
        return currentObject(in);
    }

    /** The flat object whose opening brace is the current token, as text. */
    private static String currentObject(JsonReader in) {
        return Json.write(out -> copy(in, out));
    }

    private static void copy(JsonReader in, JsonGenerator out) throws IOException {
        out.writeStartObject();
        while (in.more()) {
            out.writeFieldName(in.text());
            JsonToken token = in.next();
            if (token == JsonToken.START_ARRAY) {
                out.writeStartArray();
                while (in.more()) {
                    out.writeNumber(in.text());
                }
                out.writeEndArray();
            } else {
                switch (token) {
                    case VALUE_STRING -> out.writeString(in.text());
                    case VALUE_NULL -> out.writeNull();
                    case VALUE_TRUE, VALUE_FALSE -> out.writeBoolean(token == JsonToken.VALUE_TRUE);
                    default -> out.writeNumber(in.text());
                }
            }
        }
        out.writeEndObject();
    }
}

package jdiff.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import jdiff.runtime.config.Config;
import jdiff.runtime.config.Json;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Checkpoint;
import jdiff.runtime.weights.DTypeRule;
import jdiff.runtime.weights.LoadRules;
import jdiff.runtime.weights.Weights;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowMatchEulerTest {
    private static final Offset<Double> SIGMA = Offset.offset(1e-6); // float32 near 1 has steps of 6e-8
    private static final Offset<Double> TIMESTEP = Offset.offset(1e-3);

    @Test
    void all_schedules_of_diffusers_are_met() throws Exception {
        int calls = 0;
        JsonReader in = JsonReader.open(folder().resolve("euler.json"), JsonReader.SMALL);
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
        DType dtype = name.equals("euler") ? DType.F32 : DType.BF16;
        try (Scope scope = Scope.keep()) {
            Tensors golden = tensors(scope, name, dtype);
            Solver solver = scheduler.start(StepRequest.linear(4, 1), 0.7);
            Tensor latents = golden.sample();
            for (Step step : solver.steps()) {
                assertThat((float) step.t()).isEqualTo(golden.timesteps()[step.index()]);
                assertThat(step.sigma()).isEqualTo(golden.sigmas()[step.index()]);
                Tensor before = latents;
                latents = scope.hold(() -> solver.step(before, golden.outputs().get(step.index()), step));
                assertThat(latents.equal(golden.samples().get(step.index()))).isTrue();
            }
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
        assertThatThrownBy(() -> Schedulers.read(Config.parse("s.json", "{\"_class_name\": \"DDIMScheduler\"}")))
                .hasMessageContaining("_class_name: supported here: FlowMatchEulerDiscreteScheduler");
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

    private record Tensors(
            Tensor sample, List<Tensor> outputs, List<Tensor> samples, float[] timesteps, float[] sigmas) {}

    private static Tensors tensors(Scope scope, String name, DType dtype) throws Exception {
        Checkpoint checkpoint = Checkpoint.open(ModelFolder.open(folder()), "euler");
        LoadRules rules = LoadRules.of(name, DTypeRule.AUTO).ignoring(name.equals("euler") ? "euler_" : "euler.");
        return Weights.plan(checkpoint, rules, Device.CPU, root -> {
                    Weights w = root.at(name);
                    var outputs = new ArrayList<Tensor>();
                    var samples = new ArrayList<Tensor>();
                    for (int i = 0; i < 4; i++) {
                        outputs.add(w.at("model_output").get("" + i, 2, 15, 8));
                        samples.add(w.at("prev_sample").get("" + i, 2, 15, 8));
                    }
                    Tensor sample = w.get("sample", 2, 15, 8);
                    assertThat(sample.dtype()).isEqualTo(dtype);
                    Tensor t = w.get("timesteps", 4);
                    Tensor s = w.get("sigmas", 5);
                    return new Tensors(
                            sample,
                            outputs,
                            samples,
                            t.isMeta() ? new float[0] : t.toFloats(),
                            s.isMeta() ? new float[0] : s.toFloats());
                })
                .load(scope, 1);
    }

    private static Path folder() throws Exception {
        return Path.of(Objects.requireNonNull(FlowMatchEulerTest.class.getResource("/golden/schedulers"))
                .toURI());
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

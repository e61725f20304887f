package jdiff.runtime.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import jdiff.runtime.model.autoencoder.Autoencoder;
import jdiff.runtime.model.qwenimage.QwenImagePositions;
import jdiff.runtime.model.qwenimage.QwenImageTransformer;
import jdiff.runtime.nn.Seam;
import jdiff.runtime.nn.Tokens;
import jdiff.runtime.scheduler.Scheduler;
import jdiff.runtime.scheduler.Solver;
import jdiff.runtime.scheduler.Step;
import jdiff.runtime.scheduler.StepRequest;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Rng;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/** Text to image with Qwen-Image: text states, true classifier-free guidance, packed latents, one-frame video decoder. */
final class QwenImagePipeline implements Pipeline {
    static final PipelineFamily FAMILY = new PipelineFamily(
            "Qwen-Image",
            "QwenImagePipeline",
            EnumSet.allOf(RequestOption.class),
            Map.of(
                    RequestOption.HEIGHT, 1024,
                    RequestOption.WIDTH, 1024,
                    RequestOption.NUM_INFERENCE_STEPS, 50,
                    RequestOption.TRUE_CFG_SCALE, 4.0,
                    RequestOption.NUM_IMAGES_PER_PROMPT, 1,
                    RequestOption.MAX_SEQUENCE_LENGTH, 512,
                    RequestOption.OUTPUT_TYPE, OutputType.PNG),
            request -> {
                List<String> notes = new ArrayList<>();
                QwenImageSettings.of(request, notes::add);
                return notes;
            });

    private static final double TRAIN_TIMESTEPS = 1000;

    private final QwenImagePrompt prompts;
    private final OnDemand<QwenImageNets> nets;
    private final Scheduler scheduler;
    private final Device device;
    private final Seam toTransformer;
    private final Seam toDecoder;
    private final Warnings warnings;

    /**
     * Takes over the prompts and the nets.
     *
     * @param device of the transformer, where the scheduler computes too
     * @param vaeDevice of the autoencoder
     */
    QwenImagePipeline(
            QwenImagePrompt prompts,
            OnDemand<QwenImageNets> nets,
            Scheduler scheduler,
            Device device,
            Device vaeDevice,
            Warnings warnings) {
        this.prompts = prompts;
        this.nets = nets;
        this.scheduler = scheduler;
        this.device = device;
        this.toTransformer = new Seam(prompts.device(), device);
        this.toDecoder = new Seam(device, vaeDevice);
        this.warnings = warnings;
    }

    @Override
    public PipelineFamily family() {
        return FAMILY;
    }

    @Override
    public List<Output> generate(GenerationRequest request, StepListener listener) {
        GenerationRequest complete = FAMILY.complete(request);
        QwenImageSettings settings = QwenImageSettings.of(complete, warnings);
        int images = settings.numImagesPerPrompt();
        int total = images * settings.numInferenceSteps();
        return Scope.tidy(() -> {
            Guided conditioning = encode(List.of(complete), settings);
            List<Output> outputs = new ArrayList<>(images);
            int done = 0;
            for (long seed : seeds(complete, images)) {
                int before = done;
                outputs.addAll(sample(
                        conditioning,
                        new long[] {seed},
                        settings,
                        (step, ofOne) -> listener.stepDone(before + step, total)));
                done += settings.numInferenceSteps();
            }
            return outputs;
        });
    }

    @Override
    public List<Output> generateBatch(List<GenerationRequest> requests, StepListener listener) {
        List<GenerationRequest> complete =
                requests.stream().map(FAMILY::complete).toList();
        QwenImageSettings settings = QwenImageSettings.of(complete.get(0), warnings);
        for (GenerationRequest request : complete) {
            if (!QwenImageSettings.of(request, warnings).equals(settings)) {
                throw new IllegalArgumentException("the requests of a batch differ in more than prompt and seed: "
                        + complete.get(0) + " and " + request);
            }
        }
        int images = settings.numImagesPerPrompt();
        long[] seeds = complete.stream()
                .flatMapToLong(r -> Arrays.stream(seeds(r, images)))
                .toArray();
        return Scope.tidy(() -> sample(encode(complete, settings).repeat(images), seeds, settings, listener));
    }

    /** Seed + j for picture j. */
    private static long[] seeds(GenerationRequest request, int images) {
        long first = request.has(RequestOption.SEED)
                ? request.longInteger(RequestOption.SEED)
                : ThreadLocalRandom.current().nextLong(Integer.MAX_VALUE);
        long[] seeds = new long[images];
        for (int j = 0; j < images; j++) {
            seeds[j] = first + j;
        }
        return seeds;
    }

    private Guided encode(List<GenerationRequest> requests, QwenImageSettings settings) {
        try {
            Conditioning positive =
                    encodeTexts(requests.stream().map(GenerationRequest::prompt).toList(), settings);
            return new Guided(positive, settings.guided() ? encodeTexts(negatives(requests), settings) : null);
        } finally {
            prompts.isEncoded();
        }
    }

    private Conditioning encodeTexts(List<String> texts, QwenImageSettings settings) {
        return Scope.tidy(() -> Conditioning.ofBatch(texts.stream()
                .map(prompt -> toTransformer.cross(prompts.encode(prompt, settings.maxSequenceLength())))
                .toList()));
    }

    private static List<String> negatives(List<GenerationRequest> requests) {
        List<String> texts = new ArrayList<>(requests.size());
        for (GenerationRequest request : requests) {
            String text = request.text(RequestOption.NEGATIVE_PROMPT);
            if (text == null) {
                throw new IllegalArgumentException("in a batch all prompts or none have a negative prompt");
            }
            texts.add(text);
        }
        return texts;
    }

    /** One denoising run for as many pictures as there are seeds. */
    private List<Output> sample(Guided conditioning, long[] seeds, QwenImageSettings settings, StepListener listener) {
        return Scope.tidy(() -> {
            Tensor noise =
                    noise(seeds, settings, conditioning.positive().states().dtype());
            Tensor latents = denoise(noise, conditioning, settings, listener);
            List<Output> outputs = new ArrayList<>(seeds.length);
            for (int i = 0; i < seeds.length; i++) {
                outputs.add(output(latents.narrow(0, i, 1), seeds[i], settings));
            }
            return outputs;
        });
    }

    /** Packed noise [B, L, 64], each picture drawn alone from its own generator, in the dtype of the text states. */
    private Tensor noise(long[] seeds, QwenImageSettings settings, DType dtype) {
        return Scope.tidy(() -> {
            List<Tensor> pictures = new ArrayList<>(seeds.length);
            long channels = nets.get().transformer().config().outChannels();
            for (long seed : seeds) {
                try (Rng rng = new Rng(seed)) {
                    Tensor drawn = rng.randn(dtype, 1, 1, channels, 2L * settings.rows(), 2L * settings.columns());
                    pictures.add(PackedLatents.pack(drawn.squeeze(1)));
                }
            }
            return Tensor.cat(pictures, 0).to(device);
        });
    }

    private Tensor denoise(Tensor noise, Guided conditioning, QwenImageSettings settings, StepListener listener) {
        Tensor imagePositions = QwenImagePositions.image(List.of(settings.grid()), device);
        Denoiser<Conditioning> model =
                (latents, timestep, text) -> predict(latents, timestep, text, imagePositions, settings);
        Denoiser<Guided> denoiser = new Guidance(model, settings.trueCfgScale());
        StepRequest request = StepRequest.of(
                settings.numInferenceSteps(), settings.sigmas(), settings.grid().numTokens());
        try (Solver solver = scheduler.start(request)) {
            List<Step> steps = solver.steps();
            return Scope.fold(noise, steps, (latents, step) -> {
                Tensor timestep = Tensor.full(step.t(), DType.F32, device, latents.size(0))
                        .to(latents.dtype())
                        .div(TRAIN_TIMESTEPS);
                Tensor next = solver.step(latents, denoiser.predict(latents, timestep, conditioning), step);
                listener.stepDone(step.index() + 1, steps.size());
                return next;
            });
        }
    }

    private Tensor predict(
            Tensor latents, Tensor timestep, Conditioning text, Tensor imagePositions, QwenImageSettings settings) {
        QwenImageTransformer transformer = nets.get().transformer();
        DType dtype = transformer.dtype();
        int numText = (int) text.states().size(1);
        Tensor textPositions = QwenImagePositions.text(numText, List.of(settings.grid()), device);
        return transformer.forward(
                new Tokens(latents.to(dtype), imagePositions),
                new Tokens(text.states().to(dtype), textPositions),
                text.mask(),
                timestep);
    }

    private Output output(Tensor tokens, long seed, QwenImageSettings settings) {
        if (settings.outputType() == OutputType.LATENT) {
            return Latents.of(tokens, seed);
        }
        Autoencoder vae = nets.get().vae();
        Tensor decoded = Scope.tidy(() -> {
            Tensor z = toDecoder
                    .cross(PackedLatents.unpack(tokens, settings.rows(), settings.columns()))
                    .unsqueeze(2)
                    .to(vae.dtype()); // [1, 16, 1, h, w]
            return vae.decode(vae.denormalize(z)).select(2, 0).select(0, 0);
        });
        return new Picture(seed, settings.height(), settings.width(), Pixels.toRgb(decoded));
    }

    @Override
    public void close() {
        prompts.close();
        nets.close();
    }
}

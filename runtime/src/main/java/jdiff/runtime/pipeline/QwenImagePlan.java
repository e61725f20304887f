package jdiff.runtime.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.model.autoencoder.CausalAutoencoder;
import jdiff.runtime.model.autoencoder.CausalAutoencoderConfig;
import jdiff.runtime.model.qwen25vl.Qwen25VlConfig;
import jdiff.runtime.model.qwen25vl.Qwen25VlTextEncoder;
import jdiff.runtime.model.qwenimage.QwenImageConfig;
import jdiff.runtime.model.qwenimage.QwenImageTransformer;
import jdiff.runtime.nn.Sdpa;
import jdiff.runtime.scheduler.FlowMatchEuler;
import jdiff.runtime.scheduler.Scheduler;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tokenizer.Tokenizer;
import jdiff.runtime.weights.LoadPlan;
import jdiff.runtime.weights.Loading;
import jdiff.runtime.weights.Placement;
import jdiff.runtime.weights.Variants;
import jdiff.runtime.weights.WeightFiles;
import jdiff.runtime.weights.Weights;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** The components of a Qwen-Image folder. */
final class QwenImagePlan implements ModelPlan {
    private static final Logger LOG = LogManager.getLogger();

    private static final ComponentType<Qwen25VlConfig, Qwen25VlTextEncoder> TEXT_ENCODER = new ComponentType<>(
            "text_encoder",
            "Qwen2_5_VLForConditionalGeneration",
            ComponentType.TRANSFORMERS_STEM,
            Qwen25VlConfig::read,
            (config, checkpoint, rules) -> Weights.plan(
                    checkpoint,
                    rules.withAlias(Qwen25VlTextEncoder::currentName)
                            .ignoring(Qwen25VlTextEncoder.UNREAD.toArray(String[]::new)),
                    w -> new Qwen25VlTextEncoder(config, w.at("model"))));

    private static final ComponentType<QwenImageConfig, QwenImageTransformer> TRANSFORMER = new ComponentType<>(
            "transformer",
            "QwenImageTransformer2DModel",
            ComponentType.DIFFUSERS_STEM,
            QwenImageConfig::read,
            (config, checkpoint, rules) ->
                    Weights.plan(checkpoint, rules, w -> new QwenImageTransformer(config, new Sdpa(), w)));

    private static final ComponentType<CausalAutoencoderConfig, CausalAutoencoder> VAE = new ComponentType<>(
            "vae",
            "AutoencoderKLQwenImage",
            ComponentType.DIFFUSERS_STEM,
            CausalAutoencoderConfig::ofQwenImage,
            (config, checkpoint, rules) -> Weights.plan(
                    checkpoint,
                    rules.ignoring(CausalAutoencoder.ENCODER_NAMES.toArray(String[]::new)),
                    w -> CausalAutoencoder.decoderOnly(config, w)));

    /** In the order of their first use. */
    private static final List<ComponentType<?, ?>> COMPONENTS = List.of(TEXT_ENCODER, TRANSFORMER, VAE);

    private final boolean warning;
    private final Tokenizer tokenizer;
    private final Scheduler scheduler;
    private final LoadPlan<Qwen25VlTextEncoder> textEncoder;
    private final LoadPlan<QwenImageTransformer> transformer;
    private final LoadPlan<CausalAutoencoder> vae;

    private QwenImagePlan(
            boolean warning,
            Tokenizer tokenizer,
            Scheduler scheduler,
            LoadPlan<Qwen25VlTextEncoder> textEncoder,
            LoadPlan<QwenImageTransformer> transformer,
            LoadPlan<CausalAutoencoder> vae) {
        this.warning = warning;
        this.tokenizer = tokenizer;
        this.scheduler = scheduler;
        this.textEncoder = textEncoder;
        this.transformer = transformer;
        this.vae = vae;
    }

    static QwenImagePlan of(ModelIndex index, PipelineOptions options) throws FaultException {
        requireKnown(options);
        Qwen25VlConfig textConfig = TEXT_ENCODER.config(index);
        QwenImageConfig transformerConfig = TRANSFORMER.config(index);
        CausalAutoencoderConfig vaeConfig = VAE.config(index);
        Scheduler scheduler = FlowMatchEuler.read(
                index.config("scheduler", "FlowMatchEulerDiscreteScheduler", "scheduler_config.json"));
        List<Variants.Component> folders = new ArrayList<>();
        for (ComponentType<?, ?> component : COMPONENTS) {
            folders.add(component.files(index));
        }
        Map<String, WeightFiles> files = Variants.choose(folders, options.variant());
        try (SideBySide steps = new SideBySide()) {
            var textEncoder = steps.begin(() -> TEXT_ENCODER.plan(textConfig, files, options));
            var transformer = steps.begin(() -> TRANSFORMER.plan(transformerConfig, files, options));
            var vae = steps.begin(() -> VAE.plan(vaeConfig, files, options));
            Tokenizer tokenizer = tokenizer(index, textConfig.vocabSize());
            try {
                QwenImagePlan plan = new QwenImagePlan(
                        options.warning(), tokenizer, scheduler, textEncoder.take(), transformer.take(), vae.take());
                plan.components()
                        .forEach(component -> component.weights().notes().forEach(LOG::warn));
                return plan;
            } catch (FaultException | RuntimeException e) {
                tokenizer.close();
                throw e;
            }
        }
    }

    /** The components with weights, each to be planned on its own. */
    static List<ComponentPlanner> planners(ModelIndex index, PipelineOptions options) {
        requireKnown(options);
        return COMPONENTS.stream()
                .map(component -> component.planner(index, options))
                .toList();
    }

    private static void requireKnown(PipelineOptions options) {
        options.dtypes()
                .requireAmong(COMPONENTS.stream().map(ComponentType::name).toList());
    }

    private static Tokenizer tokenizer(ModelIndex index, int vocabSize) throws FaultException {
        Tokenizer tokenizer = Tokenizer.open(index.folder("tokenizer", "Qwen2Tokenizer", "Qwen2TokenizerFast"));
        try {
            tokenizer.requireFits(vocabSize);
            return tokenizer;
        } catch (FaultException e) {
            tokenizer.close();
            throw e;
        }
    }

    @Override
    public PipelineFamily family() {
        return QwenImagePipeline.FAMILY;
    }

    @Override
    public List<Component> components() {
        return List.of(TEXT_ENCODER.with(textEncoder), TRANSFORMER.with(transformer), VAE.with(vae));
    }

    @Override
    public List<List<Component>> phases(boolean freeTextEncoder) {
        List<Component> all = components();
        return freeTextEncoder ? List.of(all.subList(0, 1), all.subList(1, all.size())) : List.of(all);
    }

    @Override
    public Pipeline load(LoadOptions options) throws FaultException {
        OnDemand<Qwen25VlTextEncoder> encoder = new OnDemand<>(scope -> {
            try (Loading loading = start(List.of(textEncoder), options)) {
                return loading.take(textEncoder, scope);
            }
        });
        OnDemand<QwenImageNets> nets = new OnDemand<>(scope -> {
            try (Loading loading = start(List.of(transformer, vae), options)) {
                return nets(loading, scope);
            }
        });
        try {
            if (options.freeTextEncoder()) {
                encoder.load(); // the rest when its first prompt is encoded and it is gone
            } else {
                try (Loading loading = start(List.of(textEncoder, transformer, vae), options)) {
                    encoder.load(scope -> loading.take(textEncoder, scope));
                    nets.load(scope -> nets(loading, scope));
                }
            }
        } catch (FaultException | RuntimeException e) {
            encoder.close();
            nets.close();
            close();
            throw e;
        }
        Placement placement = options.placement();
        return new QwenImagePipeline(
                new QwenImagePrompt(
                        tokenizer, encoder, placement.of(TEXT_ENCODER.name(), ""), options.freeTextEncoder()),
                nets,
                scheduler,
                placement.of(TRANSFORMER.name(), ""),
                placement.of(VAE.name(), ""),
                new Warnings(warning));
    }

    private QwenImageNets nets(Loading loading, Scope scope) throws FaultException {
        return new QwenImageNets(loading.take(transformer, scope), loading.take(vae, scope));
    }

    private static Loading start(List<LoadPlan<?>> plans, LoadOptions options) throws FaultException {
        return Loading.start(plans, options.placement(), options.settings(), options.meter());
    }

    @Override
    public void close() {
        tokenizer.close();
    }
}

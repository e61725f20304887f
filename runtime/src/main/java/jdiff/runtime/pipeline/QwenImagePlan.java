package jdiff.runtime.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jdiff.runtime.distributed.DeviceMesh;
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
import jdiff.runtime.weights.Checkpoint;
import jdiff.runtime.weights.LoadPlan;
import jdiff.runtime.weights.LoadRules;
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

    private static final String TEXT_ENCODER = "text_encoder";
    private static final String TEXT_ENCODER_CLASS = "Qwen2_5_VLForConditionalGeneration";
    private static final String TRANSFORMER = "transformer";
    private static final String TRANSFORMER_CLASS = "QwenImageTransformer2DModel";
    private static final String VAE = "vae";
    private static final String VAE_CLASS = "AutoencoderKLQwenImage";
    private static final String DIFFUSERS_STEM = "diffusion_pytorch_model";
    private static final String TRANSFORMERS_STEM = "model";

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
        options.dtypes().requireAmong(List.of(TEXT_ENCODER, TRANSFORMER, VAE));
        Qwen25VlConfig textConfig = Qwen25VlConfig.read(index.config(TEXT_ENCODER, TEXT_ENCODER_CLASS));
        QwenImageConfig transformerConfig = QwenImageConfig.read(index.config(TRANSFORMER, TRANSFORMER_CLASS));
        CausalAutoencoderConfig vaeConfig = CausalAutoencoderConfig.ofQwenImage(index.config(VAE, VAE_CLASS));
        Scheduler scheduler = FlowMatchEuler.read(
                index.config("scheduler", "FlowMatchEulerDiscreteScheduler", "scheduler_config.json"));
        Map<String, WeightFiles> files = Variants.choose(
                List.of(
                        new Variants.Component(TEXT_ENCODER, index.folder(TEXT_ENCODER), TRANSFORMERS_STEM),
                        new Variants.Component(TRANSFORMER, index.folder(TRANSFORMER), DIFFUSERS_STEM),
                        new Variants.Component(VAE, index.folder(VAE), DIFFUSERS_STEM)),
                options.variant());
        try (SideBySide steps = new SideBySide()) {
            var textEncoder =
                    steps.begin(() -> textEncoder(textConfig, checkpoint(files, TEXT_ENCODER, options), options));
            var transformer =
                    steps.begin(() -> transformer(transformerConfig, checkpoint(files, TRANSFORMER, options), options));
            var vae = steps.begin(() -> vae(vaeConfig, checkpoint(files, VAE, options), options));
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
        options.dtypes().requireAmong(List.of(TEXT_ENCODER, TRANSFORMER, VAE));
        return List.of(
                new ComponentPlanner(TEXT_ENCODER, TEXT_ENCODER_CLASS, TRANSFORMERS_STEM, (checkpoint, meshes) -> {
                    Qwen25VlConfig config = Qwen25VlConfig.read(index.config(TEXT_ENCODER, TEXT_ENCODER_CLASS));
                    return forEach(meshes, mesh -> textEncoder(config, checkpoint, options.on(mesh)));
                }),
                new ComponentPlanner(TRANSFORMER, TRANSFORMER_CLASS, DIFFUSERS_STEM, (checkpoint, meshes) -> {
                    QwenImageConfig config = QwenImageConfig.read(index.config(TRANSFORMER, TRANSFORMER_CLASS));
                    return forEach(meshes, mesh -> transformer(config, checkpoint, options.on(mesh)));
                }),
                new ComponentPlanner(VAE, VAE_CLASS, DIFFUSERS_STEM, (checkpoint, meshes) -> {
                    CausalAutoencoderConfig config = CausalAutoencoderConfig.ofQwenImage(index.config(VAE, VAE_CLASS));
                    return forEach(meshes, mesh -> vae(config, checkpoint, options.on(mesh)));
                }));
    }

    private interface OnMesh {
        LoadPlan<?> plan(DeviceMesh mesh) throws FaultException;
    }

    private static List<LoadPlan<?>> forEach(List<DeviceMesh> meshes, OnMesh component) throws FaultException {
        List<LoadPlan<?>> plans = new ArrayList<>();
        for (DeviceMesh mesh : meshes) {
            plans.add(component.plan(mesh));
        }
        return plans;
    }

    private static LoadPlan<Qwen25VlTextEncoder> textEncoder(
            Qwen25VlConfig config, Checkpoint checkpoint, PipelineOptions options) throws FaultException {
        LoadRules rules = rules(TEXT_ENCODER, options)
                .withAlias(Qwen25VlTextEncoder::currentName)
                .ignoring(Qwen25VlTextEncoder.UNREAD.toArray(String[]::new));
        return Weights.plan(checkpoint, rules, w -> new Qwen25VlTextEncoder(config, w.at("model")));
    }

    private static LoadPlan<QwenImageTransformer> transformer(
            QwenImageConfig config, Checkpoint checkpoint, PipelineOptions options) throws FaultException {
        return Weights.plan(
                checkpoint, rules(TRANSFORMER, options), w -> new QwenImageTransformer(config, new Sdpa(), w));
    }

    private static LoadPlan<CausalAutoencoder> vae(
            CausalAutoencoderConfig config, Checkpoint checkpoint, PipelineOptions options) throws FaultException {
        LoadRules rules = rules(VAE, options).ignoring(CausalAutoencoder.ENCODER_NAMES.toArray(String[]::new));
        return Weights.plan(checkpoint, rules, w -> CausalAutoencoder.decoderOnly(config, w));
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

    private static Checkpoint checkpoint(Map<String, WeightFiles> files, String component, PipelineOptions options)
            throws FaultException {
        return Checkpoint.open(Objects.requireNonNull(files.get(component)), options.strict());
    }

    private static LoadRules rules(String component, PipelineOptions options) {
        return LoadRules.of(component, options.dtypes().rule(component))
                .strictly(options.strict())
                .on(options.mesh())
                .shardingModulation(options.shardModulation());
    }

    @Override
    public PipelineFamily family() {
        return QwenImagePipeline.FAMILY;
    }

    @Override
    public List<Component> components() {
        return List.of(
                new Component(TEXT_ENCODER, TEXT_ENCODER_CLASS, textEncoder),
                new Component(TRANSFORMER, TRANSFORMER_CLASS, transformer),
                new Component(VAE, VAE_CLASS, vae));
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
                new QwenImagePrompt(tokenizer, encoder, placement.of(TEXT_ENCODER, ""), options.freeTextEncoder()),
                nets,
                scheduler,
                placement.of(TRANSFORMER, ""),
                placement.of(VAE, ""),
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

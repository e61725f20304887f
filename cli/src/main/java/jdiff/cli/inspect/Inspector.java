package jdiff.cli.inspect;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import jdiff.runtime.config.Config;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.config.PlainName;
import jdiff.runtime.distributed.DeviceMesh;
import jdiff.runtime.distributed.ParallelDims;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.pipeline.ComponentPlanner;
import jdiff.runtime.pipeline.PipelineOptions;
import jdiff.runtime.pipeline.Pipelines;
import jdiff.runtime.weights.Checkpoint;
import jdiff.runtime.weights.LoadPlan;
import jdiff.runtime.weights.WeightSurvey;
import org.jspecify.annotations.Nullable;

/** Gathers what a path holds, fault by fault: one does not hide another. Reads headers and configs only. */
final class Inspector {
    private static final String INDEX = "model_index.json";
    private static final String CONFIG = "config.json";
    private static final List<String> WEIGHTS = List.of(".safetensors", ".bin", ".pt", ".pth", ".ckpt");

    /** Endings of classes that never have weights, though some of their folders hold a {@code config.json}. */
    private static final List<String> WEIGHTLESS =
            List.of("Scheduler", "Tokenizer", "TokenizerFast", "Processor", "FeatureExtractor");

    /** Keys of configs that count what a tensor-parallel layer can only give away whole. */
    private static final List<String> HEADS = List.of("num_attention_heads", "num_key_value_heads");

    private final PipelineOptions options;
    private final ParallelDims dims;
    private final boolean asked;
    private final List<Finding> findings = new ArrayList<>();
    private final List<InspectedComponent> components = new ArrayList<>();
    private boolean ofVariant;

    /**
     * @param options which weights are wanted
     * @param asked whether the user asked for dtypes or a grid, so that it is told if these cannot be shown
     */
    Inspector(PipelineOptions options, ParallelDims dims, boolean asked) {
        this.options = options;
        this.dims = dims;
        this.asked = asked;
    }

    /**
     * Looks at a pipeline folder, a component folder, a file, or a hub id.
     *
     * @throws FaultException if there is nothing to tell
     */
    ModelReport inspect(String text) throws FaultException {
        Path path = Path.of(text);
        if (Files.exists(path) && !Files.isDirectory(path)) {
            return file(path);
        }
        ModelFolder folder = ModelFolder.open(text);
        if (folder.has(INDEX)) {
            return pipeline(folder, folder.path(), null);
        }
        Path absolute = folder.path().toAbsolutePath().normalize();
        Path parent = absolute.getParent();
        String name =
                absolute.getFileName() == null ? "" : absolute.getFileName().toString();
        if (parent != null && PlainName.isPlain(name) && Files.isRegularFile(parent.resolve(INDEX))) {
            ModelFolder model = ModelFolder.open(parent);
            if (named(Config.read(model.file(INDEX))).containsKey(name)) {
                return pipeline(model, folder.path(), name);
            }
        }
        return component(folder, name.isEmpty() ? absolute.toString() : name);
    }

    private ModelReport file(Path path) {
        WeightSurvey survey = WeightSurvey.ofFile(path);
        String name = String.valueOf(path.getFileName());
        add(new InspectedComponent(name, null, null, survey, null));
        notPlanned("a single file");
        return report(path, null, null);
    }

    private ModelReport component(ModelFolder folder, String name) throws FaultException {
        WeightSurvey survey = survey(folder, null);
        if (survey.files().isEmpty() && !survey.faults().isEmpty()) {
            throw survey.faults().get(0);
        }
        String className = null;
        if (folder.has(CONFIG)) {
            try {
                className = className(Config.read(folder.file(CONFIG)));
            } catch (FaultException e) {
                findings.add(Finding.error(name, e));
            }
        }
        add(new InspectedComponent(name, null, className, survey, null));
        notPlanned("a component outside a pipeline folder");
        requireVariant(folder.path());
        return report(folder.path(), null, null);
    }

    /** @param only the one component to look at; null for all */
    private ModelReport pipeline(ModelFolder folder, Path shown, @Nullable String only) throws FaultException {
        Config index = Config.read(folder.file(INDEX));
        String className = index.string("_class_name");
        boolean supported = Pipelines.isSupported(className);
        String family = supported ? Pipelines.family(folder.path().toString()).name() : null;
        List<ComponentPlanner> planners =
                supported ? Pipelines.components(folder.path().toString(), options) : List.of();
        if (!supported) {
            notPlanned(className + ", a class that this version cannot run,");
        }
        Map<String, Config.@Nullable Component> named = named(index);
        Map<String, @Nullable ComponentPlanner> todo = new LinkedHashMap<>();
        for (ComponentPlanner planner : planners) {
            todo.put(planner.name(), planner);
        }
        named.keySet().forEach(name -> todo.putIfAbsent(name, null));
        if (only == null) {
            unnamed(folder, todo);
        }
        List<InspectedComponent> weightless = new ArrayList<>();
        for (Map.Entry<String, @Nullable ComponentPlanner> entry : todo.entrySet()) {
            if (only == null || only.equals(entry.getKey())) {
                InspectedComponent component =
                        component(folder, entry.getKey(), named.get(entry.getKey()), entry.getValue());
                if (component != null && component.weights() == null) {
                    weightless.add(component);
                } else if (component != null) {
                    add(component);
                }
            }
        }
        components.addAll(weightless);
        requireVariant(shown);
        return report(shown, className, family);
    }

    /** The components that an index names; what is no {@code [library, class]} is a parameter of the pipeline. */
    private static Map<String, Config.@Nullable Component> named(Config index) {
        Map<String, Config.@Nullable Component> named = new LinkedHashMap<>();
        for (String key : index.keys()) {
            Config.Component component = key.startsWith("_") ? null : component(index, key);
            if (component != null) {
                named.put(key, component);
            }
        }
        return named;
    }

    private static Config.@Nullable Component component(Config index, String key) {
        try {
            return index.component(key);
        } catch (FaultException e) {
            return null;
        }
    }

    /** Adds folders with weights that the index does not name. */
    private void unnamed(ModelFolder folder, Map<String, @Nullable ComponentPlanner> todo) throws FaultException {
        for (String name : folder.names()) {
            if (PlainName.isPlain(name)
                    && !todo.containsKey(name)
                    && Files.isDirectory(folder.path().resolve(name))) {
                if (folder.sub(name).names().stream().anyMatch(file -> file.endsWith(".safetensors"))) {
                    findings.add(Finding.warning(name, "has weights, but " + INDEX + " does not name it"));
                    todo.put(name, null);
                }
            }
        }
    }

    private @Nullable InspectedComponent component(
            ModelFolder model, String name, Config.@Nullable Component named, @Nullable ComponentPlanner planner) {
        String library = named == null ? null : named.library();
        String className = named == null ? null : named.className();
        try {
            if (planner != null && named == null) {
                throw new FaultException(
                        Fault.BAD_INPUT,
                        model.path().resolve(INDEX) + ": names no " + name + ", which this pipeline needs");
            }
            ModelFolder folder = model.sub(name);
            if (named == null && folder.has(CONFIG)) {
                className = className(Config.read(folder.file(CONFIG)));
            }
            if (planner == null && !hasWeights(folder, className)) {
                return new InspectedComponent(name, library, className, null, null);
            }
            WeightSurvey survey = survey(folder, planner == null ? null : planner.stem());
            return new InspectedComponent(name, library, className, survey, plan(folder, name, survey, planner));
        } catch (FaultException e) {
            findings.add(Finding.error(name, e));
            return null;
        }
    }

    private static boolean hasWeights(ModelFolder folder, @Nullable String className) throws FaultException {
        if (folder.names().stream().anyMatch(name -> WEIGHTS.stream().anyMatch(name::endsWith))) {
            return true;
        }
        return folder.has(CONFIG) && (className == null || WEIGHTLESS.stream().noneMatch(className::endsWith));
    }

    private WeightSurvey survey(ModelFolder folder, @Nullable String stem) throws FaultException {
        WeightSurvey survey = WeightSurvey.of(folder, stem, options.variant());
        ofVariant |= survey.used().stream().anyMatch(file -> file.name().contains("." + options.variant()));
        return survey;
    }

    /** A component without the variant is read without; a model that has it nowhere was meant to be another. */
    private void requireVariant(Path shown) {
        if (options.variant() != null && !ofVariant) {
            findings.add(Finding.error(
                    "all",
                    new FaultException(
                            Fault.NO_INPUT, shown + ": no component has weights of variant " + options.variant())));
        }
    }

    private InspectedComponent.@Nullable Plan plan(
            ModelFolder folder, String name, WeightSurvey survey, @Nullable ComponentPlanner planner) {
        Checkpoint checkpoint = survey.checkpoint();
        if (checkpoint == null || planner == null) {
            return null;
        }
        List<DeviceMesh> meshes = new ArrayList<>();
        meshes.add(DeviceMesh.single());
        // tp is the innermost axis: rank t has place t in its group. Only this place decides what a rank loads.
        IntStream.range(0, dims.tp()).forEach(tp -> meshes.add(DeviceMesh.planned(dims, tp)));
        try {
            List<LoadPlan<?>> plans = planner.plans(checkpoint, meshes);
            plans.get(0).notes().stream()
                    .filter(note -> !survey.notes().contains(note))
                    .forEach(note -> findings.add(Finding.warning(name, withoutName(name, note))));
            unevenHeads(folder, name);
            return new InspectedComponent.Plan(plans.get(0), plans.subList(1, plans.size()));
        } catch (FaultException e) {
            findings.add(new Finding(name, withoutName(name, String.valueOf(e.getMessage())), e.fault()));
            return null;
        }
    }

    /** Findings say where they belong already. */
    private static String withoutName(String name, String text) {
        return text.startsWith(name + ": ") ? text.substring(name.length() + 2) : text;
    }

    private void unevenHeads(ModelFolder folder, String name) throws FaultException {
        Config config = Config.read(folder.file(CONFIG));
        Config inner = config.isObject("text_config") ? config.object("text_config") : config;
        for (String key : HEADS) {
            int heads = inner.integer(key, 0);
            if (heads % dims.tp() != 0) {
                findings.add(Finding.warning(
                        name,
                        "tensor-parallel degree " + dims.tp() + " does not divide " + heads + " heads (" + key
                                + "): no job can run so, and what is told of its ranks is only arithmetic"));
            }
        }
    }

    private void add(InspectedComponent component) {
        components.add(component);
        WeightSurvey survey = component.weights();
        if (survey != null) {
            survey.allFaults().forEach(fault -> findings.add(Finding.error(component.name(), fault)));
            survey.notes().forEach(note -> findings.add(Finding.warning(component.name(), note)));
        }
    }

    private void notPlanned(String what) {
        if (asked) {
            findings.add(Finding.warning(
                    "", "dtypes and degrees have no effect: what a rank would load of " + what + " is not known"));
        }
    }

    private static @Nullable String className(Config config) throws FaultException {
        if (config.has("_class_name")) {
            return config.string("_class_name");
        }
        List<String> architectures = config.has("architectures") ? config.strings("architectures") : List.of();
        return architectures.isEmpty() ? null : architectures.get(0);
    }

    private ModelReport report(Path path, @Nullable String pipeline, @Nullable String family) {
        return new ModelReport(path, pipeline, family, components, dims, Map.of(), findings);
    }
}

package jdiff.cli.benchmark;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import jdiff.runtime.distributed.DeviceMesh;
import jdiff.runtime.distributed.LibtorchInfo;
import jdiff.runtime.distributed.ParallelDims;
import jdiff.runtime.distributed.World;
import jdiff.runtime.loading.LoadMeter;
import jdiff.runtime.loading.LoadSettings;
import jdiff.runtime.loading.WeightsIo;
import jdiff.runtime.pipeline.ComponentDTypes;
import jdiff.runtime.pipeline.ModelPlan;
import jdiff.runtime.pipeline.PipelineOptions;
import jdiff.runtime.pipeline.Pipelines;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tokenizer.TokenizerNatives;
import jdiff.runtime.weights.LoadPlan;
import jdiff.runtime.weights.Loading;
import jdiff.runtime.weights.Placement;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Loads a model as {@code generate} does, makes no picture, and prints what it took as one JSON line: seconds from the first
 * header until every byte is in its tensor and every page of it was touched, bytes, and memory. Before, it says that it is ready
 * and waits for a line of its standard input, or its end.
 */
@Command(name = "load")
public final class LoadMain implements Callable<Integer> {
    private static final double NANOS = 1e9;

    @Option(names = "--model", required = true)
    String model = "";

    @Option(names = "--dtype")
    String dtype = "auto";

    @Option(names = "--io")
    String io = "auto";

    @Option(names = "--readers")
    @Nullable Integer readers;

    @Option(names = "--tp-degree")
    int tpDegree = 1;

    @Option(names = "--shard-modulation")
    boolean shardModulation;

    /** Started by {@code scripts/bench}. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new LoadMain()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        Map<String, String> environment = System.getenv();
        try (World world = World.join(environment)) {
            load(world, environment);
        }
        return 0;
    }

    private void load(World world, Map<String, String> environment) throws IOException {
        DeviceMesh mesh = tpDegree == 1
                ? DeviceMesh.single()
                : world.mesh(new ParallelDims(world.size() / tpDegree, 1, 1, 1, tpDegree));
        PipelineOptions options = PipelineOptions.DEFAULT
                .with(ComponentDTypes.parse(dtype))
                .on(mesh)
                .shardingModulation(shardModulation);
        LoadSettings settings = LoadSettings.of(environment, null, readers).withIo(WeightsIo.of(io));
        // A peer imports its libraries before its clock starts.
        LibtorchInfo.load();
        TokenizerNatives.load();
        try (Scope nothing = Scope.keep()) {
            PageTouch.all(nothing, settings.readers()); // what measures is not measured when it runs for the first time
        }
        System.out.println("ready");
        System.in.read(); // until whoever measures says so, or there is nobody
        long start = System.nanoTime();
        try (ModelPlan plan = Pipelines.plan(model, options)) {
            long planned = System.nanoTime();
            List<? extends LoadPlan<?>> plans =
                    plan.components().stream().map(ModelPlan.Component::weights).toList();
            long fileBytes = plans.stream().mapToLong(LoadPlan::fileBytes).sum();
            long bytes = plans.stream().mapToLong(LoadPlan::memoryBytes).sum();
            long readBefore = ProcessCounters.readBySystemCalls();
            long diskBefore = ProcessCounters.readFromDisk();
            PeakMemory peak = new PeakMemory();
            long loadStart = System.nanoTime();
            try (peak;
                    Scope weights = Scope.keep()) {
                try (Loading loading = Loading.start(plans, Placement.on(world.device()), settings, new LoadMeter())) {
                    for (LoadPlan<?> component : plans) {
                        loading.take(component, weights);
                    }
                }
                PageTouch.all(weights, settings.readers());
                long end = System.nanoTime();
                peak.close();
                StringWriter text = new StringWriter();
                try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
                    json.writeStartObject();
                    json.writeNumberField("rank", world.rank());
                    json.writeNumberField("seconds", (planned - start + end - loadStart) / NANOS);
                    json.writeNumberField("headers_seconds", (planned - start) / NANOS);
                    json.writeNumberField("bytes", bytes);
                    json.writeNumberField("file_bytes", fileBytes);
                    json.writeNumberField("rchar", ProcessCounters.readBySystemCalls() - readBefore);
                    json.writeNumberField("read_bytes", ProcessCounters.readFromDisk() - diskBefore);
                    json.writeNumberField("anon_peak_bytes", peak.bytes());
                    json.writeNumberField("readers", settings.readers());
                    json.writeStringField("io", settings.io().toString());
                    json.writeEndObject();
                }
                System.out.println(text);
                System.out.flush();
                System.in.readAllBytes(); // the weights stay until their memory has been looked at
            }
        }
    }
}

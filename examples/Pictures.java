import java.nio.file.Path;
import java.util.List;
import jdiff.runtime.distributed.World;
import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.Pipeline;
import jdiff.runtime.pipeline.PipelineOptions;
import jdiff.runtime.pipeline.Pipelines;

/** One picture per prompt, shared by all workers: {@code jdiff launch --nproc-per-node 2 Pictures.java MODEL "a cat" "a dog"}. */
class Pictures {
    public static void main(String[] args) throws Exception {
        List<String> prompts = List.of(args).subList(1, args.length);
        try (World world = World.join();
                Pipeline pipeline = Pipelines.open(args[0], PipelineOptions.on(world.device()))) {
            for (String prompt : world.split(prompts)) {
                GenerationRequest request =
                        GenerationRequest.of(prompt).withNegativePrompt(" ").withSize(128, 128).withSeed(42);
                Path file = Path.of(prompt.replace(' ', '-') + ".png");
                pipeline.generate(request).get(0).save(file);
                System.out.println(file);
            }
        }
    }
}

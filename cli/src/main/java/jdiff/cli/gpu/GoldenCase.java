package jdiff.cli.gpu;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdiff.runtime.config.Config;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.RequestOption;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.safetensors.TensorEntry;

/**
 * A request and the pictures that Diffusers made of it.
 *
 * @param folder with {@code request.json}, {@code expected.safetensors} and perhaps {@code expected_bf16.safetensors}
 * @param requests one per prompt, generated together
 */
record GoldenCase(String name, Path folder, Path model, List<GenerationRequest> requests) {
    /** In which dtypes a case is run; the decoder stays in float32, as in the reference. */
    enum Precision {
        FLOAT32("float32"),
        BFLOAT16("bfloat16,vae=float32");

        final String dtypes;

        Precision(String dtypes) {
            this.dtypes = dtypes;
        }
    }

    /**
     * @param golden folder of all cases
     * @param demo the demo model, which its case refers to
     */
    static GoldenCase read(Path golden, Path demo, String name) throws FaultException {
        Path folder = golden.resolve(name);
        Config json = Config.read(folder.resolve("request.json"));
        Path own = folder.resolve(json.string("model"));
        List<String> prompts = json.has("seed") ? List.of(json.string("prompt")) : json.strings("prompt");
        double[] seeds = json.has("seed") ? new double[] {json.number("seed")} : json.numbers("seeds");
        List<GenerationRequest> requests = new ArrayList<>();
        for (int i = 0; i < prompts.size(); i++) {
            requests.add(withOptions(GenerationRequest.of(prompts.get(i)).withSeed((long) seeds[i]), json));
        }
        return new GoldenCase(name, folder, Files.exists(own) ? own : demo, requests);
    }

    private static GenerationRequest withOptions(GenerationRequest request, Config json) throws FaultException {
        GenerationRequest result = request;
        if (json.has(RequestOption.NEGATIVE_PROMPT.key())) {
            result = result.withNegativePrompt(json.string(RequestOption.NEGATIVE_PROMPT.key()));
        }
        if (json.has(RequestOption.TRUE_CFG_SCALE.key())) {
            result = result.withTrueCfgScale(json.number(RequestOption.TRUE_CFG_SCALE.key()));
        }
        return result.withSize(json.integer("height"), json.integer("width"))
                .withNumInferenceSteps(json.integer("num_inference_steps"));
    }

    /** RGB bytes of each expected picture; none if the reference was not run in this precision. */
    List<byte[]> expected(Precision precision) throws IOException {
        Path ofItsOwn = folder.resolve("expected_bf16.safetensors");
        boolean apart = precision == Precision.BFLOAT16 && Files.exists(ofItsOwn);
        SafetensorsFile file = SafetensorsFile.open(apart ? ofItsOwn : folder.resolve("expected.safetensors"));
        TensorEntry image = file.entries().get(precision == Precision.BFLOAT16 && !apart ? "image_bf16" : "image");
        List<byte[]> pictures = new ArrayList<>();
        if (image != null) {
            byte[] all = new byte[(int) image.bytes()];
            try (RandomAccessFile bytes = new RandomAccessFile(file.path().toFile(), "r")) {
                bytes.seek(image.begin());
                bytes.readFully(all);
            }
            int size = all.length / (int) image.shape()[0];
            for (int i = 0; i < image.shape()[0]; i++) {
                pictures.add(Arrays.copyOfRange(all, i * size, (i + 1) * size));
            }
        }
        return pictures;
    }
}

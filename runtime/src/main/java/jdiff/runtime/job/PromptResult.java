package jdiff.runtime.job;

import java.util.List;
import java.util.Map;
import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.RequestOption;
import org.jspecify.annotations.Nullable;

/**
 * What came of one prompt: a line of the manifest, with all that it takes to make the pictures again.
 *
 * @param key empty if the prompt could not be understood
 * @param cause why it failed; empty if it is done
 * @param request complete, null if the prompt could not be understood
 * @param model as the user named it
 * @param files of a prompt that is done
 */
public record PromptResult(
        int index,
        String key,
        String cause,
        @Nullable GenerationRequest request,
        String model,
        String fingerprint,
        String dtype,
        List<ResultFile> files) {
    public PromptResult {
        files = List.copyOf(files);
    }

    public boolean isDone() {
        return cause.isEmpty();
    }

    Map<RequestOption, Object> options() {
        return request == null ? Map.of() : request.options();
    }
}

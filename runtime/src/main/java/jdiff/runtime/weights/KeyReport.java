package jdiff.runtime.weights;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdiff.runtime.config.EditDistance;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/** Says what does not fit between a model and its checkpoint, all of it at once. */
final class KeyReport {
    private static final int SHOWN = 10;
    private static final int NEAREST = 3;
    /** Names compared for likeness; enough for every model, and bounded for hostile files. */
    private static final int MAX_CANDIDATES = 20_000;

    private static final int MAX_LENGTH = 1000;

    private static final Set<String> QUANTISED = Set.of(
            "weight_scale",
            "scale_weight",
            "input_scale",
            "scale_input",
            "absmax",
            "quant_map",
            "quant_state",
            "nested_absmax",
            "nested_quant_map",
            "qweight",
            "qzeros",
            "g_idx",
            "weight_packed",
            "weight_scale_inv");

    private KeyReport() {}

    /** Throws if anything is missing or wrong; returns a note on keys that nobody asked for. */
    static List<String> check(Checkpoint checkpoint, LoadRules rules, ParameterRecorder recorder)
            throws FaultException {
        List<String> unexpected = unexpected(rules, recorder);
        for (String name : unexpected) {
            if (isQuantised(name)) {
                throw new FaultException(
                        Fault.BAD_INPUT,
                        rules.component() + ": quantised checkpoint, not supported: " + checkpoint.folder() + " holds "
                                + Shown.cut(name, 200));
            }
        }
        boolean otherModel = unexpected.size() * 2 > recorder.stored().size();
        var lines = new ArrayList<String>();
        missingLines(checkpoint, recorder, lines);
        list(recorder.wrong(), "", lines);
        if (!unexpected.isEmpty() && (otherModel || rules.strict() || !lines.isEmpty())) {
            lines.add(unexpectedLine(unexpected)
                    + (otherModel ? "; most of its keys are unknown: these are the weights of another model" : ""));
        }
        if (!lines.isEmpty()) {
            throw new FaultException(
                    Fault.BAD_INPUT,
                    rules.component() + ": the weights in " + checkpoint.folder() + " do not fit its config.json:\n  "
                            + String.join("\n  ", lines));
        }
        return unexpected.isEmpty() ? List.of() : List.of(rules.component() + ": " + unexpectedLine(unexpected));
    }

    private static List<String> unexpected(LoadRules rules, ParameterRecorder recorder) {
        var unexpected = new ArrayList<String>();
        for (String name : recorder.stored().keySet()) {
            if (!recorder.wasAsked(name) && !rules.ignores(name)) {
                unexpected.add(name);
            }
        }
        return unexpected;
    }

    private static boolean isQuantised(String name) {
        String last = name.substring(name.lastIndexOf('.') + 1);
        return QUANTISED.contains(last) || name.contains("quant_state");
    }

    private static void missingLines(Checkpoint checkpoint, ParameterRecorder recorder, List<String> lines) {
        var sentences = new ArrayList<String>();
        for (Map.Entry<String, String> missing : recorder.missing().entrySet()) {
            String near = sentences.size() < SHOWN
                    ? nearest(missing.getKey(), recorder.stored().keySet())
                    : "";
            sentences.add(missing.getKey() + " " + missing.getValue() + near);
        }
        list(sentences, "missing (in no file of " + checkpoint.source() + "): ", lines);
    }

    private static void list(Collection<String> sentences, String title, List<String> lines) {
        int n = 0;
        for (String sentence : sentences) {
            if (n++ == SHOWN) {
                lines.add("… and " + (sentences.size() - SHOWN) + " more");
                return;
            }
            lines.add(title + sentence);
        }
    }

    private static String unexpectedLine(List<String> unexpected) {
        var out = new StringBuilder();
        for (String name : unexpected.subList(0, Math.min(SHOWN, unexpected.size()))) {
            out.append(out.length() == 0 ? "" : ", ").append(Shown.cut(name, 200));
        }
        return unexpected.size() + " keys are not in the model: " + out + (unexpected.size() > SHOWN ? ", …" : "");
    }

    private static String nearest(String name, Collection<String> stored) {
        String[] best = new String[NEAREST];
        int[] distance = new int[NEAREST];
        Arrays.fill(distance, Integer.MAX_VALUE);
        int seen = 0;
        for (String candidate : stored) {
            if (++seen > MAX_CANDIDATES) {
                break;
            }
            int d = candidate.length() > MAX_LENGTH
                    ? Integer.MAX_VALUE
                    : EditDistance.of(name, candidate, distance[NEAREST - 1]);
            for (int i = 0; i < NEAREST; i++) {
                if (d < distance[i]) {
                    for (int j = NEAREST - 1; j > i; j--) {
                        best[j] = best[j - 1];
                        distance[j] = distance[j - 1];
                    }
                    best[i] = Shown.cut(candidate, 200);
                    distance[i] = d;
                    break;
                }
            }
        }
        var out = new StringBuilder();
        for (int i = 0; i < NEAREST && distance[i] < Integer.MAX_VALUE; i++) {
            out.append(i == 0 ? "; nearest: " : ", ").append(best[i]);
        }
        return out.toString();
    }
}

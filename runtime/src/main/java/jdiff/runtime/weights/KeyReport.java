package jdiff.runtime.weights;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdiff.runtime.config.Nearest;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/** Says what does not fit between a model and its checkpoint, all of it at once. */
final class KeyReport {
    private static final int SHOWN = 10;
    private static final int NEAREST = 3;

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
        List<String> near = Nearest.of(name, stored, NEAREST);
        return near.isEmpty() ? "" : "; nearest: " + String.join(", ", near);
    }
}

package jdiff.cli.inspect;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.safetensors.TensorEntry;
import jdiff.runtime.weights.Checkpoint;
import jdiff.runtime.weights.FileDigests;
import jdiff.runtime.weights.PlannedTensor;
import jdiff.runtime.weights.SurveyedFile;
import jdiff.runtime.weights.WeightSurvey;

/** A report for people, in lines of at most 100 columns; only words without a space, such as long paths, go beyond. */
final class TextReport {
    private static final int WIDTH = 100;
    private static final int MAX_LISTED = 20;
    private static final int MAX_NAME = 200;
    private static final int MAX_SHAPE = 30;
    private static final int MAX_MESSAGE = 4000;

    private final ModelReport report;
    private final boolean everything;
    private final PrintWriter out;
    private final Paragraphs text;

    /**
     * @param everything every tensor, every file, every finding
     */
    TextReport(ModelReport report, boolean everything, PrintWriter out) {
        this.report = report;
        this.everything = everything;
        this.out = out;
        this.text = new Paragraphs(out, WIDTH);
    }

    void print() {
        head();
        report.components().stream()
                .filter(component -> component.weights() != null)
                .forEach(this::component);
        weightless();
        if (!report.planned().isEmpty()) {
            grid();
        }
        if (!report.findings().isEmpty()) {
            out.println();
            findings();
        }
        out.flush();
    }

    private void head() {
        String path = safe(report.path().toString());
        if (report.pipeline() == null) {
            out.println(path);
        } else {
            text.wrapped(
                    "",
                    path + ": " + safe(report.pipeline())
                            + (report.family() == null
                                    ? ", not run by this version of jdiff"
                                    : " (" + report.family() + ")"));
        }
        List<WeightSurvey> weights = report.components().stream()
                .map(InspectedComponent::weights)
                .filter(Objects::nonNull)
                .toList();
        if (weights.size() > 1) {
            List<SurveyedFile> files =
                    weights.stream().flatMap(one -> one.used().stream()).toList();
            Tally tally = Tally.stored(
                    weights.stream().flatMap(one -> one.tensors().stream()).toList());
            out.println(Amounts.count(weights.size(), "component") + " with weights: " + health(files) + "; "
                    + Amounts.count(tally.all().elements(), "parameter"));
        }
    }

    private void component(InspectedComponent component) {
        WeightSurvey weights = Objects.requireNonNull(component.weights());
        out.println();
        out.println(safe(component.name()) + (component.className() == null ? "" : ": " + safe(component.className())));
        text.row("files", health(weights.used()));
        files(weights);
        digests(weights);
        Tally stored = Tally.stored(weights.tensors());
        if (stored.all().tensors() > 0) {
            text.row("stored", amount(stored));
        }
        if (component.plan() != null) {
            Tally held = Tally.inMemory(component.plan().whole());
            text.row(
                    "in memory",
                    amount(held) + unread(held.all().tensors(), stored.all().tensors()));
        }
        if (everything) {
            tensors(component, weights);
        }
    }

    private static String unread(long loaded, long stored) {
        return loaded < stored ? "; " + Amounts.count(stored - loaded, "tensor") + " not read" : "";
    }

    private static String amount(Tally tally) {
        return Amounts.count(tally.all().tensors(), "tensor") + ", "
                + Amounts.count(tally.all().elements(), "parameter") + ", "
                + Amounts.bytes(tally.all().bytes())
                + tally.byDtype().entrySet().stream()
                        .map(dtype -> dtype.getKey()
                                + (tally.byDtype().size() == 1
                                        ? ""
                                        : " " + dtype.getValue().tensors()))
                        .collect(Collectors.joining(", ", tally.byDtype().isEmpty() ? "" : ", ", ""));
    }

    /** {@code 1,000 files, 38.2 GB, all ok}. */
    private static String health(List<SurveyedFile> files) {
        long bad = files.stream().filter(file -> file.fault() != null).count();
        return Amounts.count(files.size(), "file") + ", "
                + Amounts.bytes(files.stream().mapToLong(SurveyedFile::bytes).sum())
                + (files.isEmpty() ? "" : bad > 0 ? ", " + bad + " not ok" : files.size() > 1 ? ", all ok" : ", ok");
    }

    private void files(WeightSurvey weights) {
        boolean all = everything || weights.files().size() <= MAX_LISTED;
        List<SurveyedFile> shown =
                weights.files().stream().filter(file -> all || isBad(file)).toList();
        Table table = new Table("rl");
        List<SurveyedFile> cut = everything ? shown : shown.subList(0, Math.min(MAX_LISTED, shown.size()));
        for (SurveyedFile file : cut) {
            table.row(safe(file.name()), Amounts.bytes(file.bytes()), state(file));
        }
        table.lines(WIDTH - Paragraphs.LABEL - 2).forEach(line -> text.row("", line));
        if (cut.size() < shown.size()) {
            text.row("", "… and " + (shown.size() - cut.size()) + " more that are not ok");
        }
    }

    /** How many files compare how with their names in the hub cache. */
    private void digests(WeightSurvey weights) {
        Map<FileDigests.State, Long> counts = weights.files().stream()
                .map(file -> report.digests().get(file.path()))
                .filter(Objects::nonNull)
                .collect(Collectors.groupingBy(FileDigests.Result::state, TreeMap::new, Collectors.counting()));
        if (!counts.isEmpty()) {
            text.row(
                    "sha256",
                    counts.entrySet().stream()
                            .map(count ->
                                    count.getValue() + " " + count.getKey().word()
                                            + (count.getKey() == FileDigests.State.NOT_VERIFIABLE
                                                    ? " (not in a hub cache)"
                                                    : ""))
                            .collect(Collectors.joining(", ")));
        }
    }

    private boolean isBad(SurveyedFile file) {
        FileDigests.Result digest = report.digests().get(file.path());
        return file.fault() != null || (digest != null && digest.fault() != null);
    }

    /** In few words; the finding says more. */
    private String state(SurveyedFile file) {
        String state = file.fault() == null ? "ok" : word(file.fault().fault());
        FileDigests.Result digest = report.digests().get(file.path());
        return (file.used() ? state : "not used, " + state)
                + (digest == null ? "" : ", sha256 " + digest.state().word());
    }

    private static String word(Fault fault) {
        return switch (fault) {
            case NO_INPUT -> "missing";
            case IO -> "unreadable";
            default -> "unusable";
        };
    }

    private void tensors(InspectedComponent component, WeightSurvey weights) {
        InspectedComponent.Plan plan = component.plan();
        boolean cut = plan != null && plan.byTp().size() > 1;
        Map<String, PlannedTensor> first =
                plan == null ? Map.of() : plan.byStoredName().get(0);
        Map<SafetensorsFile, Table> byFile = new LinkedHashMap<>();
        for (Checkpoint.Location tensor : weights.tensors()) {
            Table table = byFile.computeIfAbsent(tensor.file(), file -> {
                Table empty = new Table("lllrl");
                empty.row("", "stored", plan == null ? "" : "memory", "shape", "bytes", cut ? "kept" : "");
                return empty;
            });
            TensorEntry entry = tensor.entry();
            PlannedTensor planned = first.get(entry.name());
            String memory = planned != null ? planned.dtype().toString() : plan == null ? "" : "not read";
            String kept = planned == null || !cut ? "" : planned.shard().isAll() ? "all" : shape(planned.shape());
            table.row(
                    safe(entry.name()),
                    entry.type().name(),
                    memory,
                    shape(entry.shape()),
                    Amounts.bytes(entry.bytes()),
                    kept);
        }
        byFile.forEach((file, table) -> {
            text.row(
                    "tensors",
                    "of " + safe(String.valueOf(file.path().getFileName())) + (cut ? "; kept: by rank 0" : ""));
            table.lines(WIDTH - 4).forEach(line -> out.println("    " + line));
        });
    }

    private static String shape(long[] shape) {
        return Shown.cut(Arrays.toString(shape).replace(" ", ""), MAX_SHAPE);
    }

    private void weightless() {
        List<String> names = report.components().stream()
                .filter(component -> component.weights() == null)
                .map(component -> safe(component.name() + " " + component.className()))
                .toList();
        if (!names.isEmpty()) {
            out.println();
            text.wrapped("without weights: ", String.join(", ", names));
        }
    }

    private void grid() {
        int tp = report.dims().tp();
        long ranks = report.dims().product();
        out.println();
        text.wrapped(
                "",
                (ranks == 1
                                ? "one rank"
                                : Amounts.count(ranks, "rank") + ", " + report.dims()
                                        + "; percent of what one rank alone would load")
                        + (report.unplanned().isEmpty()
                                ? ""
                                : "; without "
                                        + report.unplanned().stream()
                                                .map(InspectedComponent::name)
                                                .collect(Collectors.joining(", "))
                                        + ", of which it is not known"));
        ModelReport.Share whole = report.whole();
        List<InspectedComponent> planned = report.planned();
        String[] heads = {"rank", "reads", "of all", "holds", "of all"};
        Table table = new Table("rrrr" + "r".repeat(planned.size()));
        table.row(IntStream.range(0, heads.length + planned.size())
                .mapToObj(i -> i < heads.length
                        ? heads[i]
                        : planned.get(i - heads.length).name())
                .toArray(String[]::new));
        for (int t = 0; t < tp; t++) {
            ModelReport.Share share = report.ofTp(t);
            String[] cells = new String[heads.length + planned.size()];
            cells[0] = ranks(t, tp, ranks);
            cells[1] = Amounts.bytes(share.read());
            cells[2] = Amounts.percent(share.read(), whole.read());
            cells[3] = Amounts.bytes(share.held());
            cells[4] = Amounts.percent(share.held(), whole.held());
            for (int i = 0; i < planned.size(); i++) {
                InspectedComponent.Plan plan =
                        Objects.requireNonNull(planned.get(i).plan());
                cells[heads.length + i] = Amounts.bytes(plan.byTp().get(t).memoryBytes());
            }
            table.row(cells);
        }
        table.lines(WIDTH - 2).forEach(line -> out.println("  " + line));
    }

    /** The ranks with one place in their tensor-parallel group load the same: one line. */
    private static String ranks(int first, int step, long ranks) {
        List<String> some = IntStream.iterate(first, rank -> rank < ranks, rank -> rank + step)
                .limit(4)
                .mapToObj(Integer::toString)
                .collect(Collectors.toList());
        long count = ranks / step;
        if (count > some.size()) {
            return String.join(" ", some.subList(0, 2)) + " … " + (first + (count - 1) * step);
        }
        return String.join(" ", some);
    }

    private void findings() {
        List<Finding> all = report.findings();
        List<Finding> shown = everything ? all : all.subList(0, Math.min(MAX_LISTED, all.size()));
        for (Finding finding : shown) {
            // A path says more.
            String where = finding.component().isEmpty()
                            || finding.text().startsWith(report.path().toString())
                    ? ""
                    : safe(finding.component()) + ": ";
            String start = finding.severity() + ": ";
            for (String line : finding.text().lines().toList()) {
                text.wrapped(start, where + Shown.cut(line.strip(), MAX_MESSAGE));
                start = "  ";
                where = "";
            }
        }
        if (shown.size() < all.size()) {
            out.println("… and " + (all.size() - shown.size()) + " more findings; --tensors or --json shows all");
        }
    }

    private static String safe(String text) {
        return Shown.cut(text, MAX_NAME);
    }
}

package jdiff.cli.inspect;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jdiff.runtime.distributed.ParallelDims;
import jdiff.runtime.weights.FileDigests;
import jdiff.runtime.weights.LoadPlan;
import jdiff.runtime.weights.SurveyedFile;
import org.jspecify.annotations.Nullable;

/**
 * All that is told of a path.
 *
 * @param path that was inspected; where a hub id was given, the snapshot's
 * @param pipeline its {@code _class_name}; null for a component or a file alone
 * @param family as jdiff calls it; null if jdiff cannot run it
 * @param components those with weights first
 * @param dims the grid for which ranks are told
 * @param digests by file; empty if files were not verified
 */
record ModelReport(
        Path path,
        @Nullable String pipeline,
        @Nullable String family,
        List<InspectedComponent> components,
        ParallelDims dims,
        Map<Path, FileDigests.Result> digests,
        List<Finding> findings) {
    ModelReport {
        components = List.copyOf(components);
        findings = List.copyOf(findings);
        digests = Map.copyOf(digests);
    }

    /** With what the comparison of files with their names found. */
    ModelReport with(List<FileDigests.Result> results) {
        Map<Path, FileDigests.Result> byFile = new HashMap<>();
        List<Finding> all = new ArrayList<>(findings);
        for (FileDigests.Result result : results) {
            byFile.put(result.file(), result);
            if (result.fault() != null) {
                all.add(Finding.error(componentOf(result.file()), result.fault()));
            }
        }
        return new ModelReport(path, pipeline, family, components, dims, byFile, all);
    }

    private String componentOf(Path file) {
        return components.stream()
                .filter(component -> component.weights() != null
                        && component.weights().files().stream()
                                .anyMatch(one -> one.path().equals(file)))
                .map(InspectedComponent::name)
                .findFirst()
                .orElse("");
    }

    /** All weight files that are there, whether used or not, and whole or not. */
    List<Path> presentFiles() {
        return components.stream()
                .map(InspectedComponent::weights)
                .filter(Objects::nonNull)
                .flatMap(weights -> weights.files().stream())
                .map(SurveyedFile::path)
                .filter(Files::isRegularFile)
                .toList();
    }

    /** 0, or the highest code of an error. */
    int exitCode() {
        return findings.stream()
                .map(Finding::fault)
                .filter(Objects::nonNull)
                .mapToInt(fault -> fault.exitCode())
                .max()
                .orElse(0);
    }

    /** The components of which is known what would be loaded. */
    List<InspectedComponent> planned() {
        return components.stream().filter(component -> component.plan() != null).toList();
    }

    /** Components with weights of which that is not known, in a pipeline that jdiff can run. */
    List<InspectedComponent> unplanned() {
        return components.stream()
                .filter(component -> component.weights() != null && component.plan() == null)
                .toList();
    }

    /** What is read and held. */
    record Share(long read, long held) {
        static Share of(LoadPlan<?> plan) {
            return new Share(plan.fileBytes(), plan.memoryBytes());
        }

        private Share and(Share other) {
            return new Share(read + other.read, held + other.held);
        }
    }

    /** What one rank alone would read and hold. */
    Share whole() {
        return planned().stream()
                .map(component ->
                        Share.of(Objects.requireNonNull(component.plan()).whole()))
                .reduce(new Share(0, 0), Share::and);
    }

    /** What ranks with this place in their tensor-parallel group would. */
    Share ofTp(int tp) {
        return planned().stream()
                .map(component ->
                        Share.of(Objects.requireNonNull(component.plan()).byTp().get(tp)))
                .reduce(new Share(0, 0), Share::and);
    }
}

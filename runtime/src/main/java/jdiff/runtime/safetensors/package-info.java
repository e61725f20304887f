/**
 * The safetensors format and nothing else: {@link jdiff.runtime.safetensors.SafetensorsFile} validates one header,
 * {@link jdiff.runtime.safetensors.SafetensorsWriter} writes a file. No weight byte is read here.
 *
 * <p>Headers come from strangers. {@code mvn -Pfuzz -pl runtime test-compile exec:exec -Dfuzz.seconds=3600} tries damaged ones
 * until one does anything but pass or be refused; with {@code -Dfuzz=weights.WeightIndexFuzz} it tries indexes. What it finds
 * lies in {@code target/fuzz} and moves to {@code src/test/resources/fuzz}, where every test run tries it again.
 */
@NullMarked
package jdiff.runtime.safetensors;

import org.jspecify.annotations.NullMarked;

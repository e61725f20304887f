/**
 * Tensors, not processes: from prompts to pictures inside one worker. Nothing here knows the launcher; a worker learns its place
 * from environment variables.
 *
 * <p>Packages, each of which may use those to its right: {@code job} (prompts in, files out), {@code pipeline} (one model family)
 * and {@code image}, {@code model.*} (the maths), {@code nn} (layers), {@code weights} (parameters from files),
 * {@code distributed} (ranks), {@code tensor} (libtorch). Beside them {@code scheduler} and {@code tokenizer}, below all of them
 * the leaves {@code config} (small files), {@code natives} (libraries) and {@code fault} (what can go wrong); why these exist is
 * in {@code runtime/docs/decisions/002-leaves.md}. A new package gets its line in {@code ArchitectureTest} of {@code cli}.
 */
@NullMarked
package jdiff.runtime;

import org.jspecify.annotations.NullMarked;

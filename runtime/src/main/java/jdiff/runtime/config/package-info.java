/**
 * Small files of a model. {@link jdiff.runtime.config.ModelFolder} finds them and keeps them inside the model; configs, indices
 * and tokenizer files are read by one strict JSON parser that refuses what it does not understand and says where.
 * {@link jdiff.runtime.config.Config} is a view of one object with typed, checked access;
 * {@link jdiff.runtime.config.JsonReader} streams documents that are too large for a tree. A new kind of check on a value is one
 * more method of {@code Config}.
 */
@NullMarked
package jdiff.runtime.config;

import org.jspecify.annotations.NullMarked;

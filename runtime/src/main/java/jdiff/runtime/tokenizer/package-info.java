/**
 * Text to token ids, by the native library that the reference implementations use. Files are checked here before the native
 * code sees them. A new tokenizer class whose folders may lack {@code tokenizer.json} is one more builder beside
 * {@link jdiff.runtime.tokenizer.Qwen2Json}; a new split pattern is one more digest in {@link
 * jdiff.runtime.tokenizer.KnownPatterns}.
 */
@NullMarked
package jdiff.runtime.tokenizer;

import org.jspecify.annotations.NullMarked;

/**
 * Pixels to files. {@link jdiff.runtime.image.PngWriter} encodes, {@link jdiff.runtime.image.AtomicFile} makes a file appear
 * under its name whole or not at all. A new format is one more encoder that writes through {@code AtomicFile}.
 */
@NullMarked
package jdiff.runtime.image;

import org.jspecify.annotations.NullMarked;

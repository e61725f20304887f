/**
 * The safetensors format and nothing else: {@link jdiff.runtime.safetensors.SafetensorsFile} validates one header,
 * {@link jdiff.runtime.safetensors.SafetensorsWriter} writes a file. No weight byte is read here.
 */
@NullMarked
package jdiff.runtime.safetensors;

import org.jspecify.annotations.NullMarked;

/**
 * Native libraries from jars to memory: {@link jdiff.runtime.natives.CacheFolder} is the user's cache of jdiff,
 * {@link jdiff.runtime.natives.Natives} unpacks the libraries there once and loads them. A leaf: knows nothing of what they
 * compute. A further library is one more line in {@link jdiff.runtime.natives.NativeLibrary}.
 */
@NullMarked
package jdiff.runtime.natives;

import org.jspecify.annotations.NullMarked;

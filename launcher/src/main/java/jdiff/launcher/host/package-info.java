/**
 * Facts of this machine that a plan depends on, read from {@code /proc}, {@code /sys}, {@code /dev} and the environment: usable
 * CPUs, GPUs, locale, terminal. Each reader takes the root of what it reads, so tests use a made-up tree.
 */
@NullMarked
package jdiff.launcher.host;

import org.jspecify.annotations.NullMarked;

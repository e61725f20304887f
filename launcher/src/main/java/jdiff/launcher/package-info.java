@NullMarked
package jdiff.launcher;

import org.jspecify.annotations.NullMarked;

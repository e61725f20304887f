@NullMarked
package jdiff.runtime.tensor;

import org.jspecify.annotations.NullMarked;

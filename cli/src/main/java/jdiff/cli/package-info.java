@NullMarked
package jdiff.cli;

import org.jspecify.annotations.NullMarked;

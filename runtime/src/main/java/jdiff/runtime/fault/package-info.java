/**
 * What can go wrong, in the words and exit codes that users and batch systems see. A leaf: every other package may throw a
 * {@link jdiff.runtime.fault.FaultException}. A new kind of failure is one more constant in {@link jdiff.runtime.fault.Fault}.
 */
@NullMarked
package jdiff.runtime.fault;

import org.jspecify.annotations.NullMarked;

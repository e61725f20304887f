/**
 * What this machine has and what is missing for jdiff. One class per subject, each a {@link jdiff.cli.doctor.Check} that reads
 * the machine through {@link jdiff.cli.doctor.Machine}; a new check is one class and its line in
 * {@link jdiff.cli.doctor.Checks}.
 */
@NullMarked
package jdiff.cli.doctor;

import org.jspecify.annotations.NullMarked;

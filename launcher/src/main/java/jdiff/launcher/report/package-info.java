/**
 * Explains how a job ended: exit statuses in words, the workers' error files, which failure was the first cause, the report on
 * stderr and the JSON summary. Texts of workers are data: control characters are escaped and secrets replaced.
 */
@NullMarked
package jdiff.launcher.report;

import org.jspecify.annotations.NullMarked;

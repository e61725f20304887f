package jdiff.runtime.job;

/**
 * A file that was written.
 *
 * @param name within the output folder
 * @param seed that its noise came from
 * @param sha256 of its bytes, 64 hexadecimal digits
 */
public record ResultFile(String name, long seed, long bytes, String sha256) {}

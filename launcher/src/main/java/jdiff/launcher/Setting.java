package jdiff.launcher;

/** One resolved option: its name without dashes, its value as text, and where the value came from (for {@code --dry-run}). */
public record Setting(String name, String value, String source) {}

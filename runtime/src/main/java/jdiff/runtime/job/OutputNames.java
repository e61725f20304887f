package jdiff.runtime.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import jdiff.runtime.config.Shown;
import org.jspecify.annotations.Nullable;

/** How the files of a job are named; every name is one plain file name in ASCII. */
public final class OutputNames {
    /** {@code 000000-1a2b3c4d.png}, and {@code 000000-1a2b3c4d-00.png} where a prompt has several pictures. */
    public static final OutputNames DEFAULT = new OutputNames(null);

    private static final int MAX_LENGTH = 200;
    private static final int MAX_SLUG = 60;
    private static final List<String> FIELDS = List.of("index", "key", "seed", "image", "slug");

    private final @Nullable String template;

    private OutputNames(@Nullable String template) {
        this.template = template;
    }

    /**
     * Names by a template with {@code {index}}, {@code {key}}, {@code {seed}}, {@code {image}} and {@code {slug}}; the extension
     * is added where it is missing.
     *
     * @throws IllegalArgumentException if it has another field or a character that does not belong into a plain file name
     */
    public static OutputNames of(String template) {
        StringBuilder fixed = new StringBuilder();
        int at = 0;
        while (at < template.length()) {
            char c = template.charAt(at);
            if (c == '{') {
                int end = template.indexOf('}', at);
                String field = end < 0 ? template.substring(at + 1) : template.substring(at + 1, end);
                if (end < 0 || !FIELDS.contains(field)) {
                    throw refused(template, "has no field {" + Shown.cut(field, 40) + "}");
                }
                fixed.append('x');
                at = end + 1;
            } else if ((c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "._-".indexOf(c) >= 0) {
                fixed.append(c);
                at++;
            } else {
                throw refused(template, "may not hold '" + Shown.cut(String.valueOf(c), 8) + "'");
            }
        }
        if (fixed.isEmpty() || fixed.charAt(0) == '.') {
            throw refused(template, "must not be empty or begin with a dot");
        }
        if (template.length() > MAX_LENGTH / 2) {
            throw refused(template, "must be no longer than " + MAX_LENGTH / 2 + " characters");
        }
        return new OutputNames(template);
    }

    private static IllegalArgumentException refused(String template, String why) {
        return new IllegalArgumentException("name template \"" + Shown.cut(template, 100) + "\" " + why
                + "; it is made of letters, digits, '.', '_', '-' and {index}, {key}, {seed}, {image}, {slug}");
    }

    /** Whether names of different prompts may be equal. */
    public boolean mayCollide() {
        return template != null;
    }

    /** The names of all pictures of a prompt. */
    public List<String> of(PromptJob job, RequestKey key) {
        List<String> names = new ArrayList<>(job.numImages());
        for (int image = 0; image < job.numImages(); image++) {
            names.add(name(job, key, image));
        }
        return names;
    }

    private String name(PromptJob job, RequestKey key, int image) {
        String extension = "." + job.outputType().extension();
        String form = template != null ? template : job.numImages() > 1 ? "{index}-{key}-{image}" : "{index}-{key}";
        String name = form.replace("{index}", digits(job.index(), 6))
                .replace("{key}", key.shortHex())
                .replace("{seed}", Long.toString(job.seed() + image))
                .replace("{image}", digits(image, 2))
                .replace("{slug}", form.contains("{slug}") ? slug(job.request().prompt()) : "");
        return name.endsWith(extension) ? name : name + extension;
    }

    private static String digits(int number, int width) {
        String text = Integer.toString(number);
        return "0".repeat(Math.max(0, width - text.length())) + text;
    }

    /** The prompt reduced to {@code [a-z0-9-]}, at most 60 characters; {@code prompt} if nothing is left. */
    static String slug(String prompt) {
        StringBuilder slug = new StringBuilder();
        String lower = prompt.toLowerCase(Locale.ROOT);
        for (int i = 0; i < lower.length() && slug.length() < MAX_SLUG; i++) {
            char c = lower.charAt(i);
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
                slug.append(c);
            } else if (!slug.isEmpty() && slug.charAt(slug.length() - 1) != '-') {
                slug.append('-');
            }
        }
        while (!slug.isEmpty() && slug.charAt(slug.length() - 1) == '-') {
            slug.setLength(slug.length() - 1);
        }
        return slug.isEmpty() ? "prompt" : slug.toString();
    }

    /** The template, for the record of the job. */
    @Override
    public String toString() {
        return template == null ? "" : template;
    }
}

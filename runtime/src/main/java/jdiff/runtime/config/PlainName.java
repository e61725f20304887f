package jdiff.runtime.config;

/** Names from model files that may become file names: {@code [A-Za-z0-9_.-]+}, not {@code .} or {@code ..}. */
public final class PlainName {
    private PlainName() {}

    public static boolean isPlain(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '_'
                    || c == '.'
                    || c == '-';
            if (!plain) {
                return false;
            }
        }
        return !name.isEmpty() && name.length() <= 255 && !name.equals(".") && !name.equals("..");
    }
}

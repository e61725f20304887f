package jdiff.cli;

/** The root command. */
public final class Jdiff {
    private Jdiff() {}

    public static void main(String[] args) {
        System.out.println("jdiff");
    }
}

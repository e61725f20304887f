package jdiff.runtime.distributed;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Sets of degrees that a number of ranks allows, for messages about sets that it does not. */
final class LegalDims {
    private LegalDims() {}

    /** Up to three sets, nearest first by the factors between the degrees; dp counts only where the user named it. */
    static String closest(int worldSize, ParallelDims wanted, boolean withDp) {
        List<ParallelDims> legal = all(worldSize);
        Comparator<ParallelDims> byDistance = Comparator.comparingDouble(dims -> distance(dims, wanted, withDp));
        // More keys make the list the same everywhere, with the simplest sets first.
        legal.sort(byDistance
                .thenComparing(Comparator.comparingInt(ParallelDims::dp).reversed())
                .thenComparing(Comparator.comparingInt(ParallelDims::tp).reversed())
                .thenComparing(Comparator.comparingInt(ParallelDims::ulysses).reversed()));
        return legal.subList(0, Math.min(3, legal.size())).stream()
                .map(ParallelDims::toString)
                .reduce((a, b) -> a + "; " + b)
                .orElse("none");
    }

    static List<ParallelDims> all(int worldSize) {
        List<ParallelDims> legal = new ArrayList<>();
        for (int cfg = 1; cfg <= 2; cfg++) {
            for (int tp : divisors(worldSize, cfg)) {
                for (int ulysses : divisors(worldSize, cfg * tp)) {
                    for (int ring : divisors(worldSize, cfg * tp * ulysses)) {
                        legal.add(new ParallelDims(worldSize / (cfg * tp * ulysses * ring), cfg, ring, ulysses, tp));
                    }
                }
            }
        }
        return legal;
    }

    /** The divisors of n / taken, if taken divides n. */
    private static List<Integer> divisors(int n, int taken) {
        List<Integer> divisors = new ArrayList<>();
        if (n % taken != 0) {
            return divisors;
        }
        int rest = n / taken;
        for (int i = 1; i <= rest; i++) {
            if (rest % i == 0) {
                divisors.add(i);
            }
        }
        return divisors;
    }

    private static double distance(ParallelDims a, ParallelDims b, boolean withDp) {
        return (withDp ? factor(a.dp(), b.dp()) : 0)
                + factor(a.cfg(), b.cfg())
                + factor(a.ring(), b.ring())
                + factor(a.ulysses(), b.ulysses())
                + factor(a.tp(), b.tp());
    }

    private static double factor(int a, int b) {
        return Math.abs(Math.log((double) a / b));
    }
}

package jdiff.cli;

import jdiff.runtime.fault.FaultException;
import jdiff.runtime.natives.Natives;

/**
 * Unpacks the native libraries into the cache and prints their folder, for the property {@value Natives#PROPERTY} of workers.
 * The launcher runs it once per node, as a process of its own, where they are not there yet.
 */
final class PrepareNatives {
    private PrepareNatives() {}

    public static void main(String[] args) {
        try {
            System.out.println(Installation.unpackNatives());
        } catch (FaultException e) {
            System.err.println("jdiff: " + e.getMessage());
            System.exit(e.fault().exitCode());
        }
    }
}

package jdiff.cli;

import java.nio.file.Path;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.natives.CacheFolder;
import jdiff.runtime.natives.Natives;
import jdiff.runtime.tokenizer.TokenizerNatives;

/**
 * Unpacks the native libraries into the cache and prints their folder, for the property {@value Natives#PROPERTY} of workers.
 * The launcher runs it once per node, as a process of its own, where they are not there yet.
 */
final class PrepareNatives {
    private PrepareNatives() {}

    public static void main(String[] args) {
        try {
            // First, since the folder of the others tells that all is there.
            TokenizerNatives.prepare(CacheFolder.open().resolve("tokenizers"));
            Path folder = Natives.prepare();
            System.out.println(folder);
        } catch (FaultException e) {
            System.err.println("jdiff: " + e.getMessage());
            System.exit(e.fault().exitCode());
        }
    }
}

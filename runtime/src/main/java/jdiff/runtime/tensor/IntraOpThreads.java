package jdiff.runtime.tensor;

import jdiff.runtime.natives.Natives;
import org.bytedeco.pytorch.global.torch;

/** How many threads libtorch spreads one operation over: a setting of each thread, with a default for new ones. */
public final class IntraOpThreads {
    static {
        Natives.ensure(); // before the first class of JavaCPP
    }

    private IntraOpThreads() {}

    /** Operations of this thread run on it alone; for one of several threads that share the processors by themselves. */
    public static void useOne() {
        torch.set_num_threads(1);
    }

    /** Makes this thread's setting the default again, which {@link #useOne} of another thread has changed as well. */
    public static void makeDefault() {
        torch.set_num_threads(torch.get_num_threads());
    }
}

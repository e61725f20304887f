package jdiff.runtime.job;

import jdiff.runtime.distributed.Store;
import jdiff.runtime.pipeline.StepListener;

/** Adds the steps of one rank to the counter of the whole job, a few times a second at most. */
final class StepMeter implements StepListener {
    private static final String KEY = "job/steps";
    private static final long INTERVAL_NANOS = 250_000_000;

    private final Store store;
    private final Trace trace;
    private boolean any;
    private int promptSteps;
    private long unsent;
    private long lastSent = System.nanoTime();

    StepMeter(Store store, Trace trace) {
        this.store = store;
        this.trace = trace;
    }

    static long total(Store store) {
        return store.add(KEY, 0);
    }

    @Override
    public void stepDone(int step, int total) {
        trace.event(any ? "step" : "first_step");
        any = true;
        count(1);
    }

    private void count(int steps) {
        promptSteps += steps;
        unsent += steps;
        long now = System.nanoTime();
        if (now - lastSent >= INTERVAL_NANOS) {
            send();
            lastSent = now;
        }
    }

    /** The prompt is over: it counts with all its steps, whatever became of it. */
    void promptDone(int planned) {
        unsent += planned - promptSteps;
        promptSteps = 0;
        send();
    }

    private void send() {
        if (unsent != 0) {
            store.add(KEY, unsent);
            unsent = 0;
        }
    }
}

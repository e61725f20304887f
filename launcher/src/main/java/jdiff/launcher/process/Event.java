package jdiff.launcher.process;

/** What the launcher reacts to. */
sealed interface Event {
    /** The leader of a process group has ended. */
    record Ended(Child child) implements Event {}

    /** Stop the job: TERM, INT or HUP. */
    record Stop(String signal) implements Event {}

    /** Finish what is in progress and take no more: USR1 or USR2. */
    record Drain(String signal) implements Event {}
}

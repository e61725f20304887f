package jdiff.launcher.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A started process that leads its own group. Used by the launcher's thread only. */
final class Child {
    private final Process process;
    private final Groups groups;
    private boolean registered = true;

    Child(Process process, Groups groups) {
        this.process = process;
        this.groups = groups;
    }

    Process process() {
        return process;
    }

    long pid() {
        return process.pid();
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /** Writes a line to its stdin; a child that is gone or does not read is left alone. */
    void tell(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
        } catch (IOException e) {
            return; // It has ended, which is noticed elsewhere.
        }
    }

    void closeInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            return; // It has ended, which is noticed elsewhere.
        }
    }

    /** Sends a signal to its whole group, whether the leader lives or not. */
    void signal(String name) {
        if (registered) {
            groups.signal(this, name);
        }
    }

    /** Live processes of its group; once there are none, the group is forgotten and never signalled again. */
    List<ProcessTable.Member> members() {
        if (!registered) {
            return List.of();
        }
        List<ProcessTable.Member> members = groups.members(this);
        if (members.isEmpty() && !process.isAlive()) {
            registered = false;
            groups.forget(this);
        }
        return members;
    }
}

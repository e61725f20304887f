package jdiff.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import jdiff.cli.generate.GenerateCommand;
import jdiff.cli.inspect.InspectCommand;

/** All verbs by name. Commands are made only when they are needed, since the launcher must start quickly. */
public final class Verbs {
    /** What {@code launch} runs when no program is named. */
    public static final String DEFAULT = "generate";

    private final Map<String, Supplier<Object>> commands;

    Verbs(Map<String, Supplier<Object>> commands) {
        this.commands = new TreeMap<>(commands);
    }

    /** The verbs of this build, without {@code launch}. */
    public static Verbs standard() {
        return new Verbs(
                Map.of(DEFAULT, GenerateCommand::new, "doctor", DoctorCommand::new, "inspect", InspectCommand::new));
    }

    public boolean has(String name) {
        return commands.containsKey(name);
    }

    /** The command object of a verb. */
    public Object create(String name) {
        Supplier<Object> command = commands.get(name);
        if (command == null) {
            throw new IllegalArgumentException("there is no verb '" + name + "'");
        }
        return command.get();
    }

    public List<String> names() {
        return List.copyOf(commands.keySet());
    }

    /** Names of the verbs that can run on ranks. */
    public List<String> onRanks() {
        List<String> names = new ArrayList<>();
        for (String name : commands.keySet()) {
            if (create(name) instanceof RankVerb) {
                names.add(name);
            }
        }
        return names;
    }
}

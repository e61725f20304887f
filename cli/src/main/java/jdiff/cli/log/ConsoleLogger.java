package jdiff.cli.log;

import java.io.PrintStream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.Marker;
import org.apache.logging.log4j.message.Message;
import org.apache.logging.log4j.simple.SimpleLogger;
import org.apache.logging.log4j.util.PropertiesUtil;
import org.jspecify.annotations.Nullable;

/** Prints {@code jdiff: message}, with {@code warning:} or {@code error:} where it is one; stacks only at debug level. */
final class ConsoleLogger extends SimpleLogger {
    ConsoleLogger(String name, Level level) {
        super(
                name,
                level,
                false,
                false,
                false,
                false,
                "",
                null,
                PropertiesUtil
                        .getProperties(), // one for all: to make it, the class path and the environment are searched
                System.err);
    }

    @Override
    public void logMessage(
            String fqcn, Level level, @Nullable Marker marker, Message message, @Nullable Throwable thrown) {
        PrintStream err = System.err; // looked up each time: the launcher replaces it
        err.println(prefix(level) + message.getFormattedMessage());
        if (thrown != null && getLevel().isLessSpecificThan(Level.DEBUG)) {
            thrown.printStackTrace(err);
        }
    }

    private static String prefix(Level level) {
        if (level.isMoreSpecificThan(Level.ERROR)) {
            return "jdiff: error: ";
        }
        return level.isMoreSpecificThan(Level.WARN) ? "jdiff: warning: " : "jdiff: ";
    }
}

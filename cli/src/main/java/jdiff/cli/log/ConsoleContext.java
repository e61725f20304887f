package jdiff.cli.log;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.message.MessageFactory;
import org.apache.logging.log4j.spi.ExtendedLogger;
import org.apache.logging.log4j.spi.LoggerContext;
import org.apache.logging.log4j.spi.LoggerContextFactory;
import org.jspecify.annotations.Nullable;

/** All loggers of the process share one level. */
public final class ConsoleContext implements LoggerContext {
    private static final ConsoleContext SHARED = new ConsoleContext();

    private final Map<String, ConsoleLogger> loggers = new ConcurrentHashMap<>();
    private volatile Level level = Level.WARN;

    private ConsoleContext() {}

    /** 0: warnings; 1: the story of a run; 2 and above: details; below 0: errors only. */
    public static void setVerbosity(int verbosity) {
        Level level =
                verbosity < 0 ? Level.ERROR : verbosity == 0 ? Level.WARN : verbosity == 1 ? Level.INFO : Level.DEBUG;
        SHARED.level = level;
        SHARED.loggers.values().forEach(logger -> logger.setLevel(level));
    }

    @Override
    public @Nullable Object getExternalContext() {
        return null;
    }

    @Override
    public ExtendedLogger getLogger(String name) {
        return loggers.computeIfAbsent(name, key -> new ConsoleLogger(key, level));
    }

    @Override
    public ExtendedLogger getLogger(String name, @Nullable MessageFactory messageFactory) {
        return getLogger(name);
    }

    @Override
    public boolean hasLogger(String name) {
        return loggers.containsKey(name);
    }

    @Override
    public boolean hasLogger(String name, @Nullable MessageFactory messageFactory) {
        return hasLogger(name);
    }

    @Override
    public boolean hasLogger(String name, Class<? extends MessageFactory> messageFactoryClass) {
        return hasLogger(name);
    }

    /** Gives the one context to Log4j2's API. */
    public static final class Factory implements LoggerContextFactory {
        @Override
        public LoggerContext getContext(
                String fqcn, @Nullable ClassLoader loader, @Nullable Object externalContext, boolean currentContext) {
            return SHARED;
        }

        @Override
        public LoggerContext getContext(
                String fqcn,
                @Nullable ClassLoader loader,
                @Nullable Object externalContext,
                boolean currentContext,
                @Nullable URI configLocation,
                @Nullable String name) {
            return SHARED;
        }

        @Override
        public void removeContext(LoggerContext context) {
            throw new IllegalStateException("the console's context lives as long as the process");
        }

        @Override
        public boolean isClassLoaderDependent() {
            return false;
        }
    }
}

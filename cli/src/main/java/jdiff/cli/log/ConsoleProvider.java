package jdiff.cli.log;

import org.apache.logging.log4j.spi.NoOpThreadContextMap;
import org.apache.logging.log4j.spi.Provider;

/** Found by Log4j2's API through the service file. */
public final class ConsoleProvider extends Provider {
    private static final int PRIORITY = 20;

    public ConsoleProvider() {
        super(PRIORITY, CURRENT_VERSION, ConsoleContext.Factory.class, NoOpThreadContextMap.class);
    }
}

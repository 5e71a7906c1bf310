package io.feedkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What one class or package logs, instead of on the console. */
public final class LogCapture implements AutoCloseable {

    private final Logger logger;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    private LogCapture(Logger logger) {
        this.logger = logger;
    }

    public static LogCapture of(Class<?> type) {
        return of(type.getName());
    }

    /**
     * Captures what is logged under a name.
     *
     * @param name of a class, or of a package with all that it contains
     */
    public static LogCapture of(String name) {
        LogCapture capture = new LogCapture((Logger) LoggerFactory.getLogger(name));
        capture.appender.start();
        capture.logger.setLevel(Level.DEBUG);
        capture.logger.setAdditive(false);
        capture.logger.addAppender(capture.appender);
        return capture;
    }

    public List<String> messages(Level level) {
        return List.copyOf(appender.list).stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(null);
    }
}

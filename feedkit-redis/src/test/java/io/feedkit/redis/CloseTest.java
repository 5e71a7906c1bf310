package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("The end of a store that all is well with")
class CloseTest {

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger("ROOT");

    /** The log levels that a host has by default. */
    private final Map<Logger, Level> quieted = new HashMap<>();

    @BeforeEach
    void listen() {
        for (String name : List.of("io.lettuce", "io.netty", "reactor")) {
            Logger logger = (Logger) LoggerFactory.getLogger(name);
            quieted.put(logger, logger.getLevel());
            logger.setLevel(Level.WARN);
        }
        lines.start();
        root.addAppender(lines);
    }

    @AfterEach
    void stop() {
        root.detachAppender(lines);
        quieted.forEach(Logger::setLevel);
    }

    private List<String> warnings() {
        return lines.list.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .map(line -> line.getLoggerName() + ": " + line.getFormattedMessage())
                .toList();
    }

    @Test
    @DisplayName("logs no warnings")
    void quiet() {
        RedisFeedStore store = RedisFeedStore.builder(
                        RedisServers.at(RedisServer.shared().uri()))
                .prefix("closing")
                .timeout(Duration.ofSeconds(5))
                .build();
        List<String> before = warnings();
        try (FeedEngine feed = FeedEngine.builder(store).workers(2).build()) {
            feed.follow("ann", "bob");
            feed.read("ann", PageRequest.first(1));
            feed.publish("bob", "p1");
            feed.fanout().drain();
        }
        store.close();
        assertThat(warnings()).isEqualTo(before);
    }
}

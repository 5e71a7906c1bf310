package io.feedkit.spring.actuate;

import io.feedkit.Beta;
import io.feedkit.FeedEngine;
import io.feedkit.FeedKitException;
import io.feedkit.fanout.Backlog;
import io.feedkit.health.Health;
import io.feedkit.health.Health.Part;
import io.feedkit.spring.FeedKitProperties;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * What health shows, for the contributors of each version of Spring Boot.
 *
 * @since 0.1.0
 */
@Beta
public final class FeedHealth {

    /** How an engine is. */
    public enum Level {
        /** All parts of the store answer. */
        UP,
        /** A part of the store is down, and pages go on. */
        DEGRADED,
        /** Pages fail. */
        DOWN
    }

    /**
     * The state of an engine.
     *
     * @param level how it is
     * @param details the parts of the store, and the backlog
     */
    public record Report(Level level, Map<String, Object> details) {}

    private final FeedEngine feed;
    private final Duration timeout;
    private final boolean stalePages;
    private final BoundedCall<Backlog> backlogs;

    /**
     * Creates the health of an engine.
     *
     * @param feed the engine
     * @param properties how long to wait, and whether pages go on without the source of truth
     */
    public FeedHealth(FeedEngine feed, FeedKitProperties properties) {
        this.feed = Objects.requireNonNull(feed, "feed must not be null");
        this.timeout = properties.health().timeout();
        this.backlogs =
                new BoundedCall<>("feedkit-health-backlog", () -> feed.fanout().backlog());
        Duration stale = properties.reading().staleIfError();
        this.stalePages = stale != null && !stale.isZero();
    }

    /**
     * Asks all parts of the store, and for the backlog. Waits no longer than {@code feedkit.health.timeout}.
     *
     * @return the state
     */
    public Report check() {
        long begun = System.nanoTime();
        CompletableFuture<Backlog> backlog = backlogs.start();
        Health health = feed.check(timeout);
        Map<String, Object> details = new LinkedHashMap<>();
        health.parts().forEach((part, answer) -> details.put(name(part), answer.toString()));
        boolean truth = health.part(Part.OUTBOX).isUp();
        boolean pages = truth && health.part(Part.FOLLOW_GRAPH).isUp();
        if (truth) {
            show(backlog, timeout.minusNanos(System.nanoTime() - begun), details);
        }
        if (!pages && !(stalePages && health.part(Part.INBOX).isUp())) {
            return new Report(Level.DOWN, details);
        }
        return new Report(health.isUp() ? Level.UP : Level.DEGRADED, details);
    }

    private void show(CompletableFuture<Backlog> started, Duration limit, Map<String, Object> details) {
        try {
            Backlog backlog = backlogs.await(started, limit);
            details.put("backlogAge", backlog.age().toString());
            details.put("tasks", backlog.tasks());
            details.put("deadLetters", backlog.deadLetters());
        } catch (FeedKitException e) {
            details.put("backlog", String.valueOf(e.getMessage()));
        } catch (TimeoutException e) {
            details.put("backlog", "no answer within " + timeout);
        }
    }

    private static String name(Part part) {
        return switch (part) {
            case FOLLOW_GRAPH -> "followGraph";
            case SEEN_MARKS -> "seenMarks";
            default -> part.name().toLowerCase(Locale.ROOT);
        };
    }
}

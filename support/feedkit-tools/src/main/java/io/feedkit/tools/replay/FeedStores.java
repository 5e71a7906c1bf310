package io.feedkit.tools.replay;

import io.feedkit.FeedKitException;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.tools.servers.RunKeys;
import io.feedkit.tools.servers.RunTables;
import io.feedkit.tools.servers.ShownUrl;
import java.time.Clock;
import java.time.Duration;
import java.util.regex.Pattern;

/** Opens the store that {@code --store} names. */
public final class FeedStores {

    /** Each thread that publishes, reads or fans out holds one connection. Background work uses the others. */
    private static final int SPARE_CONNECTIONS = 4;

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    /** The prefix of the names of tables and keys. */
    private static final String RUN = "replay";

    private static final String JDBC = "jdbc:";

    /** Separates the address of the inboxes from the JDBC URL of everything else. */
    private static final String AND_JDBC = "+" + JDBC;

    private static final Pattern AND_REDIS = Pattern.compile("\\+redis[a-z-]*://");

    private FeedStores() {}

    /**
     * A store for one run. Closing it deletes the run's data from the server.
     *
     * @param store the store
     * @param onClose closes the store and deletes the data
     */
    public record OpenStore(FeedStore store, Runnable onClose) implements AutoCloseable {
        @Override
        public void close() {
            onClose.run();
        }
    }

    /**
     * Returns the clock of a run. It follows the events. On Redis, it also never falls behind the real time, because
     * keys expire by the server's clock.
     *
     * @param url the address of the store
     */
    static EventClock clock(String url) {
        return isRedis(url) ? new EventClock(Clock.systemUTC()) : new EventClock();
    }

    private static boolean isRedis(String url) {
        return url.startsWith("redis");
    }

    /**
     * Opens an empty store whose follow graph can be written.
     *
     * @param url the address of the store
     * @param clock the run's clock
     * @param threads how many threads use the store
     * @return the store
     * @throws IllegalArgumentException if there is no such store
     */
    public static OpenStore open(String url, Clock clock, int threads) {
        if (url.equals("memory")) {
            return new OpenStore(InMemoryFeedStore.create(clock), () -> {});
        }
        if (url.startsWith(JDBC)) {
            return openSql(withoutRedis(url), clock, threads);
        }
        if (isRedis(url)) {
            int end = url.indexOf(AND_JDBC);
            return end < 0 ? openRedis(url) : openParts(url.substring(0, end), url.substring(end + 1), clock, threads);
        }
        throw new IllegalArgumentException(
                "store must be memory, a JDBC URL, redis://HOST:PORT or redis://HOST:PORT+jdbc:..., but is "
                        + ShownUrl.of(url));
    }

    /**
     * Refuses a Redis address after the JDBC URL, because H2 would take it for a part of the database's name. The
     * message does not show the URL, which may contain a password.
     */
    private static String withoutRedis(String url) {
        if (AND_REDIS.matcher(url).find()) {
            throw new IllegalArgumentException(
                    "store must name Redis before the database, as in redis://HOST:PORT+jdbc:..., but names it after");
        }
        return url;
    }

    /** Inboxes in Redis, everything else in a SQL database. */
    private static OpenStore openParts(String redis, String jdbc, Clock clock, int threads) {
        OpenStore sql = openSql(jdbc, clock, threads);
        try {
            return openInboxes(redis, sql);
        } catch (IllegalArgumentException e) {
            sql.close();
            throw e;
        }
    }

    private static OpenStore openInboxes(String redis, OpenStore sql) {
        RunKeys keys = RunKeys.at(redis, RUN);
        try {
            RedisInboxes inboxes = RedisInboxes.builder(RedisServers.at(redis))
                    .prefix(keys.prefix())
                    .timeout(TIMEOUT)
                    .build();
            FeedStore rest = sql.store();
            FeedStore parts = FeedStore.of(rest.outbox(), inboxes::inbox, rest.graph(), rest.seenMarks());
            return new OpenStore(parts, () -> {
                try {
                    inboxes.close();
                    keys.remove();
                } finally {
                    sql.close();
                }
            });
        } catch (FeedKitException | IllegalArgumentException e) {
            throw new IllegalArgumentException("store cannot keep inboxes in Redis: " + e.getMessage(), e);
        }
    }

    private static OpenStore openSql(String url, Clock clock, int threads) {
        RunTables tables = RunTables.create(url, RUN, 2 * threads + SPARE_CONNECTIONS);
        try {
            JdbcFeedStore store = JdbcFeedStore.builder(tables.dataSource())
                    .prefix(tables.prefix())
                    .clock(clock)
                    .timeout(TIMEOUT)
                    .maintenanceInterval(Duration.ZERO)
                    .build();
            return new OpenStore(store, () -> {
                store.close();
                tables.close();
            });
        } catch (FeedKitException e) {
            tables.close();
            throw new IllegalArgumentException("store cannot be used: " + e.getMessage(), e);
        }
    }

    private static OpenStore openRedis(String url) {
        RunKeys keys = RunKeys.at(url, RUN);
        try {
            RedisFeedStore store = RedisFeedStore.builder(RedisServers.at(url))
                    .prefix(keys.prefix())
                    .timeout(TIMEOUT)
                    .build();
            return new OpenStore(store, () -> {
                store.close();
                keys.remove();
            });
        } catch (FeedKitException | IllegalArgumentException e) {
            throw new IllegalArgumentException("store cannot be used: " + e.getMessage(), e);
        }
    }
}

package io.feedkit.examples.replay;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.feedkit.FeedKitException;
import io.feedkit.examples.redis.Connection;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.FeedStore;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** Where feeds can be kept: the one place that turns what {@code --store} says into a store. */
final class Stores {

    /** Threads that publish, read or fan out hold one connection each; a few are left for what goes on beside. */
    private static final int SPARE_CONNECTIONS = 4;

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final String JDBC = "jdbc:";

    /** Between the address of the inboxes and the JDBC URL of everything else. */
    private static final String AND_JDBC = "+" + JDBC;

    private static final Pattern AND_REDIS = Pattern.compile("\\+redis[a-z-]*://");

    private Stores() {}

    /** A store for one run. Closing it removes what the run left on a server. */
    record OpenStore(FeedStore store, Runnable onClose) implements AutoCloseable {
        @Override
        public void close() {
            onClose.run();
        }
    }

    /**
     * The clock of a run: that of the events, but for Redis, which goes by the server's own. By that alone can it let go by itself of what is over, and need not look whether it is.
     *
     * @param url where feeds are kept
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
     * @param clock that of the run
     * @throws IllegalArgumentException if there is no such store
     */
    static OpenStore open(String url, Clock clock, int threads) {
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
                "store must be memory, a JDBC URL, redis://HOST:PORT or redis://HOST:PORT+jdbc:..., but is " + url);
    }

    /** H2 would take what follows for a part of the database's name. The message does not show the URL, which may have a password in it. */
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
        String prefix = redisPrefix();
        try {
            RedisInboxes inboxes =
                    RedisInboxes.builder(redis).prefix(prefix).timeout(TIMEOUT).build();
            FeedStore rest = sql.store();
            FeedStore parts = FeedStore.of(rest.outbox(), inboxes::inbox, rest.graph(), rest.seenMarks());
            return new OpenStore(parts, () -> {
                try {
                    inboxes.close();
                    removeKeys(redis, prefix);
                } finally {
                    sql.close();
                }
            });
        } catch (FeedKitException | IllegalArgumentException e) {
            throw new IllegalArgumentException("store cannot keep inboxes in Redis: " + e.getMessage(), e);
        }
    }

    /** Tables of the run's own, so that runs beside each other, and whatever else is in the database, do not meet. */
    private static OpenStore openSql(String url, Clock clock, int threads) {
        HikariDataSource pool = pool(url, 2 * threads + SPARE_CONNECTIONS);
        try {
            String prefix = "replay_" + random() + "_";
            JdbcSchema schema = JdbcSchema.of(pool, "", prefix);
            schema.create();
            JdbcFeedStore store = JdbcFeedStore.builder(pool)
                    .prefix(prefix)
                    .clock(clock)
                    .timeout(TIMEOUT)
                    .maintenanceInterval(Duration.ZERO)
                    .build();
            return new OpenStore(store, () -> {
                store.close();
                schema.drop();
                pool.close();
            });
        } catch (FeedKitException e) {
            pool.close();
            throw new IllegalArgumentException("store cannot be used: " + e.getMessage(), e);
        }
    }

    /** Keys of the run's own. */
    private static OpenStore openRedis(String url) {
        String prefix = redisPrefix();
        try {
            RedisFeedStore store =
                    RedisFeedStore.builder(url).prefix(prefix).timeout(TIMEOUT).build();
            return new OpenStore(store, () -> {
                store.close();
                removeKeys(url, prefix);
            });
        } catch (FeedKitException | IllegalArgumentException e) {
            throw new IllegalArgumentException("store cannot be used: " + e.getMessage(), e);
        }
    }

    private static String redisPrefix() {
        return "replay-" + random();
    }

    private static void removeKeys(String url, String prefix) {
        try (Connection redis = Connection.open(url)) {
            redis.removeAll(prefix);
        }
    }

    private static String random() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    }

    private static HikariDataSource pool(String url, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        try {
            return new HikariDataSource(config);
        } catch (PoolInitializationException e) {
            throw new IllegalArgumentException("store cannot be reached: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "store must name a database by a JDBC URL of a driver that is here: " + e.getMessage(), e);
        }
    }
}

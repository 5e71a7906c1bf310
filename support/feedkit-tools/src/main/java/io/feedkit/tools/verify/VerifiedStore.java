package io.feedkit.tools.verify;

import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.ComposedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.tools.servers.RunTables;
import io.feedkit.tools.servers.ShownUrl;
import java.time.Duration;

/** Opens the store of an application, which exists already. */
final class VerifiedStore {

    /** One for the run, and some for the parts of a page. */
    private static final int CONNECTIONS = 4;

    private static final String JDBC = "jdbc:";

    /** Separates the address of the inboxes from the JDBC URL of everything else. */
    private static final String AND_JDBC = "+" + JDBC;

    private final String tablePrefix;
    private final String keyPrefix;

    VerifiedStore(String tablePrefix, String keyPrefix) {
        this.tablePrefix = tablePrefix;
        this.keyPrefix = keyPrefix;
    }

    /**
     * Opens the store.
     *
     * @throws IllegalArgumentException if there is no such store
     * @throws io.feedkit.FeedKitException if it cannot be used
     */
    ComposedStore open(String url) {
        int end = url.indexOf(AND_JDBC);
        if (url.startsWith(JDBC)) {
            return ComposedStore.of(parts -> sql(url, parts));
        }
        if (url.startsWith("redis")) {
            return end < 0
                    ? ComposedStore.of(parts -> redis(url, parts))
                    : ComposedStore.of(parts -> both(url.substring(0, end), url.substring(end + 1), parts));
        }
        throw new IllegalArgumentException(
                "store must be a JDBC URL, redis://HOST:PORT or redis://HOST:PORT+jdbc:..., but is "
                        + ShownUrl.of(url));
    }

    private JdbcFeedStore sql(String url, ComposedStore.Parts parts) {
        return parts.add(JdbcFeedStore.builder(parts.add(RunTables.pool(url, CONNECTIONS)))
                .prefix(tablePrefix)
                .maintenanceInterval(Duration.ZERO)
                .build());
    }

    private FeedStore redis(String url, ComposedStore.Parts parts) {
        return parts.add(
                RedisFeedStore.builder(RedisServers.at(url)).prefix(keyPrefix).build());
    }

    private FeedStore both(String redis, String jdbc, ComposedStore.Parts parts) {
        JdbcFeedStore sql = sql(jdbc, parts);
        RedisInboxes inboxes = parts.add(
                RedisInboxes.builder(RedisServers.at(redis)).prefix(keyPrefix).build());
        return FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks(), inboxes.rankSnapshots());
    }
}

package io.feedkit.examples.production;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.ComposedStore;
import io.feedkit.spi.FeedStore;

/**
 * The production shape in one place: what is where, and one object to close. What was opened is closed, too, if a later
 * part cannot be opened.
 */
final class ProductionFeed implements AutoCloseable {

    private final ComposedStore store;
    private final FeedEngine feed;

    ProductionFeed(String jdbc, String redis, String prefix) {
        store = ComposedStore.of(parts -> {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(jdbc);
            config.setMaximumPoolSize(40); // 2 workers, 32 reads without Redis, 5 publishes, 1 for maintenance
            HikariDataSource pool = parts.add(new HikariDataSource(config));
            JdbcSchema.of(pool, "", prefix + "_").upgrade();
            JdbcFeedStore sql =
                    parts.add(JdbcFeedStore.builder(pool).prefix(prefix + "_").build());
            RedisInboxes inboxes = parts.add(RedisInboxes.builder(RedisServers.at(redis))
                    .prefix(prefix)
                    .startWithoutServer(true)
                    .build());
            return FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks(), inboxes.rankSnapshots());
        });
        try {
            feed = FeedEngine.builder(store)
                    .name("production")
                    .policy(FanoutPolicy.hybrid(10_000))
                    .build();
        } catch (RuntimeException | Error e) {
            store.close();
            throw e;
        }
    }

    FeedEngine feed() {
        return feed;
    }

    ComposedStore store() {
        return store;
    }

    @Override
    public void close() {
        try (store) {
            feed.close();
        }
    }
}

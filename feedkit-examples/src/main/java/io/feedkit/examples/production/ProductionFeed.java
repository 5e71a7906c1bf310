package io.feedkit.examples.production;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.health.StoreDescription;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcPostArchive;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.ComposedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.PostArchive;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The production shape in one place: what is where, and one object to close. What was opened is closed, too, if a later
 * part cannot be opened.
 */
final class ProductionFeed implements AutoCloseable {

    private final ComposedStore store;
    private final PostArchive archive;
    private final FeedEngine feed;

    ProductionFeed(String jdbc, String redis, String coldJdbc, String prefix) {
        List<PostArchive> cold = new ArrayList<>();
        store = ComposedStore.of(parts -> {
            HikariDataSource pool =
                    parts.add(pool(jdbc, 40)); // 2 workers, 32 reads without Redis, 5 publishes, 1 spare
            JdbcSchema.of(pool, "", prefix + "_").upgrade();
            JdbcFeedStore sql =
                    parts.add(JdbcFeedStore.builder(pool).prefix(prefix + "_").build());
            RedisInboxes inboxes = parts.add(RedisInboxes.builder(RedisServers.at(redis))
                    .prefix(prefix)
                    .startWithoutServer(true)
                    .build());
            HikariDataSource archivePool = parts.add(pool(coldJdbc, 10)); // deep pages, and the move of old posts
            JdbcPostArchive.createTables(archivePool, "", prefix + "_");
            cold.add(JdbcPostArchive.of(archivePool, "", prefix + "_"));
            return FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks(), inboxes.rankSnapshots());
        });
        archive = cold.get(0);
        try {
            feed = FeedEngine.builder(store)
                    .name("production")
                    .policy(FanoutPolicy.hybrid(10_000))
                    .archive(archive)
                    .archiving(archiving -> archiving.after(Duration.ofDays(30)))
                    .build();
        } catch (RuntimeException | Error e) {
            store.close();
            throw e;
        }
    }

    private static HikariDataSource pool(String url, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    FeedEngine feed() {
        return feed;
    }

    /** What is where, and how durable it is there. */
    Stream<StoreDescription> describe() {
        return Stream.of(store, archive).flatMap(part -> part.describe().stream());
    }

    @Override
    public void close() {
        try (store) {
            feed.close();
        }
    }
}

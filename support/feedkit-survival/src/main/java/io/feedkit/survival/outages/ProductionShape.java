package io.feedkit.survival.outages;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcPostArchive;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.ComposedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.PostArchive;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;

/** Posts and follows in a database, inboxes in Redis, posts older than a day in another database; and an engine. */
final class ProductionShape implements AutoCloseable {

    static final Duration AGE = Duration.ofDays(1);

    private static final int CONNECTIONS = 20;
    private static final Duration INTERVAL = Duration.ofMillis(200);

    private final Deque<Runnable> opened = new ArrayDeque<>();
    private final ComposedStore store;
    private final PostArchive archive;
    private final FeedEngine feed;

    /**
     * Opens the stores and an engine.
     *
     * @param addresses the JDBC URL of the posts, the address of Redis, and the JDBC URL of the archive
     * @param workers the number of workers; without them, the engine moves no posts
     * @param archiveAs what the engine uses for the archive
     */
    ProductionShape(String[] addresses, String name, int workers, UnaryOperator<PostArchive> archiveAs) {
        HikariDataSource cold = pool(addresses[2]);
        opened.push(cold::close);
        JdbcPostArchive.createTables(cold);
        archive = JdbcPostArchive.of(cold);
        store = ComposedStore.of(parts -> {
            HikariDataSource pool = parts.add(pool(addresses[0]));
            JdbcSchema.of(pool).upgrade();
            JdbcFeedStore sql = parts.add(JdbcFeedStore.create(pool));
            RedisInboxes inboxes = parts.add(RedisInboxes.builder(RedisServers.at(addresses[1]))
                    .startWithoutServer(true)
                    .build());
            return FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks(), inboxes.rankSnapshots());
        });
        opened.push(store::close);
        feed = FeedEngine.builder(store)
                .name(name)
                .workers(workers)
                .archive(archiveAs.apply(archive))
                .archiving(archiving -> archiving.after(AGE).interval(INTERVAL))
                .build();
        opened.push(feed::close);
    }

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }

    FeedEngine feed() {
        return feed;
    }

    ComposedStore store() {
        return store;
    }

    PostArchive archive() {
        return archive;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
    }
}

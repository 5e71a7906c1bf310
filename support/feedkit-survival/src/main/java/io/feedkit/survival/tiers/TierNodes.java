package io.feedkit.survival.tiers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcPostArchive;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.PostArchive;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testservers.survival.Node;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Engines with posts in one database, old posts in another, and inboxes in Redis.
 *
 * @param posts the URL of the database of the posts
 * @param archive the URL of the database of old posts
 * @param inboxes where the inboxes are
 * @param prefix the beginning of the names of keys
 * @param cap how many posts an inbox serves
 * @param clock the clock of engines and stores; if empty, each machine has its own
 */
record TierNodes(
        String posts, String archive, Supplier<RedisServers> inboxes, String prefix, int cap, Optional<Clock> clock) {

    /** The age at which posts move. */
    static final Duration AGE = Duration.ofDays(1);

    /** Inboxes hold the newest posts only, and none of the archive: pages go from inbox to outbox to archive. */
    static final int SMALL_CAP = 10;

    /** Inboxes hold all posts, those of the archive included. */
    static final int LARGE_CAP = 2000;

    /** The interval of a mover that hardly rests. */
    static final Duration ALWAYS = Duration.ofMillis(20);

    private static final int POOL = 4;
    private static final int BATCH = 10;
    private static final int UNREAD_CAP = 10_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** As {@link TierVictim} gets them. */
    List<String> arguments(String redis) {
        return List.of(posts, archive, redis, prefix, Integer.toString(cap));
    }

    static TierNodes of(String posts, String archive, String redis, String prefix, int cap) {
        return new TierNodes(posts, archive, () -> RedisServers.at(redis), prefix, cap, Optional.empty());
    }

    void createTables() {
        try (HikariDataSource pool = pool(posts, 1)) {
            JdbcSchema.of(pool).create();
        }
        try (HikariDataSource pool = pool(archive, 1)) {
            JdbcPostArchive.createTables(pool);
        }
    }

    private static HikariDataSource pool(String url, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(TIMEOUT.toMillis());
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    /** The store of a node, and what is closed with it. */
    private record Parts(JdbcFeedStore sql, RedisInboxes redis, HikariDataSource old, FeedStore delegate)
            implements ForwardingFeedStore, AutoCloseable {
        @Override
        public void close() {
            redis.close();
            sql.close();
            old.close();
        }
    }

    /** Settings of a node that moves posts all the time. */
    Node.Setup mover(String name) {
        return node(name, ALWAYS, UnaryOperator.identity());
    }

    /**
     * Settings of a node.
     *
     * @param interval the pause between two passes of the mover
     * @param through changes the archive that the engine gets
     */
    Node.Setup node(String name, Duration interval, UnaryOperator<PostArchive> through) {
        HikariDataSource old = pool(archive, POOL);
        return Node.on(() -> open(old), Parts::close)
                .named(name)
                .clock(clock.orElseGet(Clock::systemUTC))
                .settings(builder -> builder.cap(cap)
                        .unreadCap(UNREAD_CAP)
                        .archive(through.apply(JdbcPostArchive.of(old)))
                        .archiving(archiving ->
                                archiving.after(AGE).batchSize(BATCH).interval(interval)));
    }

    private Parts open(HikariDataSource old) {
        JdbcFeedStore.Builder sql =
                JdbcFeedStore.builder(posts).poolSize(POOL).timeout(TIMEOUT).maintenanceInterval(Duration.ofSeconds(1));
        RedisInboxes.Builder redis =
                RedisInboxes.builder(inboxes.get()).prefix(prefix).startWithoutServer(true);
        clock.ifPresent(shifted -> {
            sql.clock(shifted);
            redis.clock(shifted);
        });
        return parts(sql.build(), redis.build(), old);
    }

    private static Parts parts(JdbcFeedStore sql, RedisInboxes redis, HikariDataSource old) {
        return new Parts(sql, redis, old, FeedStore.of(sql.outbox(), redis::inbox, sql.graph(), sql.seenMarks()));
    }

    /** The archive, for checks. */
    HikariDataSource archivePool() {
        return pool(archive, 1);
    }
}

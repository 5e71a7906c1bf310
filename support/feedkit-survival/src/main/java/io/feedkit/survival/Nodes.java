package io.feedkit.survival;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testservers.survival.Node;
import java.time.Duration;
import java.util.Optional;

/**
 * Nodes on a database, each with one part in the fan-out.
 *
 * @param url the database
 * @param inboxes the store of the inboxes, if they are not in the database
 */
record Nodes(String url, Optional<RedisInboxes> inboxes) {

    /** The number of readers. All follow the star, whose fan-outs are split. */
    static final int READERS = 40;

    private static final int SPLIT_THRESHOLD = 15;
    private static final int POOL = 4;

    static Nodes on(String url) {
        return new Nodes(url, Optional.empty());
    }

    static void createTables(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcSchema.of(pool).create();
        }
    }

    /** The store of a node, whose inboxes may be elsewhere. */
    private record Parts(JdbcFeedStore sql, FeedStore delegate) implements ForwardingFeedStore {}

    private Node.Setup node(String name) {
        return Node.on(this::open, parts -> parts.sql().close()).named(name).workers(0);
    }

    private Parts open() {
        JdbcFeedStore sql = JdbcFeedStore.builder(url)
                .poolSize(POOL)
                .timeout(Duration.ofSeconds(2))
                .maintenanceInterval(Duration.ofSeconds(1))
                .build();
        return new Parts(
                sql,
                inboxes.map(redis -> FeedStore.of(sql.outbox(), redis::inbox, sql.graph(), sql.seenMarks()))
                        .orElse(sql));
    }

    Node.Setup publisher() {
        return node("publisher");
    }

    Node.Setup relay(FanoutQueue queue) {
        return node("relay")
                .settings(
                        builder -> builder.fanoutQueue(QueuedFanout.over(queue).loan(Broker.LOAN)));
    }

    Node.Setup worker(FanoutQueue queue) {
        return node("worker")
                .workers(1)
                .settings(builder -> builder.fanoutQueue(
                                QueuedFanout.over(queue).relay(false).loan(Broker.LOAN))
                        .fanout(fanout -> fanout.splitThreshold(SPLIT_THRESHOLD)));
    }
}

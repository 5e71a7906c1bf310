package io.feedkit.survival;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.testservers.survival.Node;
import java.time.Duration;

/** Nodes on a database, each with one part in the fan-out. */
final class Nodes {

    /** All readers follow the star, whose fan-outs are split. */
    static final int READERS = 40;

    private static final int SPLIT_THRESHOLD = 15;
    private static final int POOL = 4;

    private Nodes() {}

    static void createTables(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcSchema.of(pool).create();
        }
    }

    private static Node.Setup at(String url, String name) {
        return Node.on(
                        () -> JdbcFeedStore.builder(url)
                                .poolSize(POOL)
                                .timeout(Duration.ofSeconds(2))
                                .maintenanceInterval(Duration.ofSeconds(1))
                                .build(),
                        JdbcFeedStore::close)
                .named(name)
                .workers(0);
    }

    static Node.Setup publisher(String url) {
        return at(url, "publisher");
    }

    static Node.Setup relay(String url, FanoutQueue queue) {
        return at(url, "relay")
                .settings(builder -> builder.fanoutQueue(queue).relay(true).loan(Broker.LOAN));
    }

    static Node.Setup worker(String url, FanoutQueue queue) {
        return at(url, "worker")
                .workers(1)
                .settings(builder -> builder.fanoutQueue(queue)
                        .relay(false)
                        .loan(Broker.LOAN)
                        .splitThreshold(SPLIT_THRESHOLD));
    }
}

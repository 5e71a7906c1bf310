package io.feedkit.survival.copies;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.event.FeedListener;
import io.feedkit.event.InboxRebuilt;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testservers.survival.Node;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Engines with posts in a database, inboxes in Redis, and copies of inboxes. They count the inboxes that they build. */
final class CopyNodes {

    /** How many posts an inbox serves. */
    static final int CAP = 60;

    static final Duration LIVE_WINDOW = Duration.ofDays(1);

    private static final int DEPTH = 40;
    private static final int POOL = 4;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final String posts;
    private final String redis;
    private final String prefix;
    private final InboxCopies copies;
    private final AtomicInteger built = new AtomicInteger();
    private final AtomicInteger filled = new AtomicInteger();

    /**
     * Creates engines' settings.
     *
     * @param posts the URL of the database
     * @param redis the URL of Redis
     * @param prefix the beginning of the names of keys
     */
    CopyNodes(String posts, String redis, String prefix, InboxCopies copies) {
        this.posts = posts;
        this.redis = redis;
        this.prefix = prefix;
        this.copies = copies;
    }

    void createTables() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(posts);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcSchema.of(pool).create();
        }
    }

    /** The store of a node, and what is closed with it. */
    private record Parts(JdbcFeedStore sql, RedisInboxes redis, FeedStore delegate)
            implements ForwardingFeedStore, AutoCloseable {
        @Override
        public void close() {
            redis.close();
            sql.close();
        }
    }

    private Parts open() {
        JdbcFeedStore sql = JdbcFeedStore.builder(posts)
                .poolSize(POOL)
                .timeout(TIMEOUT)
                .maintenanceInterval(Duration.ofSeconds(1))
                .build();
        RedisInboxes inboxes = RedisInboxes.builder(RedisServers.at(redis))
                .prefix(prefix)
                .timeout(TIMEOUT)
                .build();
        return new Parts(sql, inboxes, FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks()));
    }

    /** Settings of a node with a store of its own. */
    Node.Setup node(String name, UnaryOperator<InboxCopies> through) {
        return set(Node.on(this::open, Parts::close), name, through);
    }

    /** Settings of a node on the store of another node, which must be open as long. */
    Node.Setup beside(Node other, String name) {
        return set(Node.on(other::store, store -> {}), name, UnaryOperator.identity());
    }

    private Node.Setup set(Node.Setup setup, String name, UnaryOperator<InboxCopies> through) {
        return setup.named(name)
                .settings(builder -> builder.cap(CAP)
                        .liveWindow(LIVE_WINDOW)
                        .inboxCopies(through.apply(copies))
                        .copying(copying -> copying.depth(DEPTH).interval(Duration.ofMinutes(1)))
                        .listener(new FeedListener() {
                            @Override
                            public void rebuilt(InboxRebuilt event) {
                                built.incrementAndGet();
                                if (event.fromCopy()) {
                                    filled.incrementAndGet();
                                }
                            }
                        }));
    }

    /** The inboxes, beside the engines. */
    static Inbox inbox(Node node) {
        return node.store().inbox(new InboxLimits(CAP, LIVE_WINDOW.toMillis()));
    }

    /** How many inboxes this process has built. */
    int built() {
        return built.get();
    }

    /** How many of them it has filled from copies. */
    int filled() {
        return filled.get();
    }
}

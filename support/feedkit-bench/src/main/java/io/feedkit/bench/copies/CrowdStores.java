package io.feedkit.bench.copies;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.bench.jdbc.RoundTrips;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.ComposedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.testservers.Durability;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;

/** The production shape on new servers, without an archive. PostgreSQL flushes each commit. */
final class CrowdStores implements AutoCloseable {

    private static final int CONNECTIONS = 40;
    private static final int DROPPED_AT_ONCE = 1000;
    private static final InboxLimits LIMITS =
            new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());

    private final BenchDatabase database = BenchDatabase.open(Optional.empty());
    private final BenchRedis redis = new BenchRedis(Durability.FAST);
    private final RoundTrips trips = new RoundTrips();
    private final HikariDataSource pool = database.pool(trips, CONNECTIONS);
    private final ComposedStore store = ComposedStore.of(this::compose);

    private FeedStore compose(ComposedStore.Parts parts) {
        JdbcFeedStore sql = parts.add(database.store(pool));
        RedisInboxes inboxes = parts.add(redis.inboxes());
        return FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks(), inboxes.rankSnapshots());
    }

    BenchDatabase database() {
        return database;
    }

    Outbox outbox() {
        return store.outbox();
    }

    /** An engine that delivers nothing, because nothing is published. */
    FeedEngineBuilder engine() {
        return FeedEngine.builder(store).workers(0);
    }

    /**
     * An engine as {@link #engine}, whose outbox cannot say which posts were deleted since a time. It compares each
     * post of a new inbox with the table, as engines do on databases other than PostgreSQL.
     */
    FeedEngineBuilder engineComparingAll() {
        Outbox outbox = store.outbox();
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("deletedSince")) {
                return Optional.empty();
            }
            try {
                return method.invoke(outbox, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        Outbox comparing = Outbox.class.cast(
                Proxy.newProxyInstance(Outbox.class.getClassLoader(), new Class<?>[] {Outbox.class}, handler));
        FeedStore same = FeedStore.of(
                comparing,
                store::inbox,
                store.graph(),
                store.seenMarks(),
                store.rankSnapshots().orElseThrow());
        return FeedEngine.builder(same).workers(0);
    }

    /** Round trips to PostgreSQL so far. */
    long statements() {
        return trips.count();
    }

    void dropInboxes(List<String> readers) {
        for (int from = 0; from < readers.size(); from += DROPPED_AT_ONCE) {
            store.inbox(LIMITS).drop(readers.subList(from, Math.min(readers.size(), from + DROPPED_AT_ONCE)));
        }
    }

    @Override
    public void close() {
        try (database;
                redis;
                pool) {
            store.close();
        }
    }
}

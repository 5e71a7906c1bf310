package io.feedkit.bench.scale.outage;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.bench.jdbc.RoundTrips;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.FeedStore;
import java.util.Optional;

/** An engine with its source of truth in PostgreSQL and its inboxes in Redis, everything with default settings. */
final class OutageStores implements AutoCloseable {

    private final BenchDatabase database = BenchDatabase.open(Optional.empty());
    private final InboxServer inboxServer = new InboxServer();
    private final RoundTrips trips = new RoundTrips(OutageLoad::isReading);
    private final HikariDataSource pool = database.pool(trips);
    private final JdbcFeedStore truth = database.store(pool);
    private final RedisInboxes inboxes = inboxServer.connect();
    private final FeedEngine engine = FeedEngine.builder(
                    FeedStore.of(truth.outbox(), inboxes::inbox, truth.graph(), truth.seenMarks()))
            .policy(status -> status.author().startsWith(OutageLoad.PULLED) ? FanoutMode.PULL : FanoutMode.PUSH)
            .build();

    FeedEngine engine() {
        return engine;
    }

    InboxServer inboxServer() {
        return inboxServer;
    }

    /** The settled mark: pushed posts acknowledged before this time are in all inboxes. */
    long settledMark() {
        return truth.outbox().settledMark();
    }

    /** The number of calls of pages to the database. */
    double calls() {
        return trips.count();
    }

    /** The processor time of the database, in seconds. */
    double cpuSeconds() {
        return database.cpuSeconds();
    }

    @Override
    public void close() {
        engine.close();
        inboxes.close();
        truth.close();
        pool.close();
        inboxServer.close();
        database.close();
    }
}

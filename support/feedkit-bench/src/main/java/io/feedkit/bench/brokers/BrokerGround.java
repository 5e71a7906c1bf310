package io.feedkit.bench.brokers;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testservers.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Posts, follows and tasks in PostgreSQL, inboxes in Redis, and authors all of whose followers are live. */
final class BrokerGround implements AutoCloseable {

    private static final long LEASE_MILLIS = 60_000;
    private static final int EDGES_AT_ONCE = 1000;

    private final BenchDatabase database;
    private final BenchRedis redis;
    private final JdbcFeedStore sql;
    private final RedisInboxes inboxes;
    private final FeedStore store;

    BrokerGround() {
        database = BenchDatabase.open(Optional.empty());
        redis = new BenchRedis(Durability.FAST);
        sql = database.store();
        inboxes = redis.inboxes();
        store = FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks());
    }

    BenchDatabase database() {
        return database;
    }

    BenchRedis redis() {
        return redis;
    }

    FeedStore store() {
        return store;
    }

    JdbcFeedStore sql() {
        return sql;
    }

    /** An engine whose threads are named after it. */
    FeedEngineBuilder engine(String name) {
        return FeedEngine.builder(store).name(name);
    }

    /** Makes made-up readers follow an author, and makes their inboxes live. */
    List<String> follow(String author, int followers) {
        Inbox inbox = store.inbox(FullInboxes.LIMITS);
        List<String> readers = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        for (int i = 0; i < followers; i++) {
            String reader = String.format("%s-%07d", author, i);
            readers.add(reader);
            edges.add(new Edge(reader, author));
            long generation = inbox.open(reader, LEASE_MILLIS, false).generation();
            inbox.complete(reader, generation, System.currentTimeMillis(), 0);
        }
        for (int i = 0; i < edges.size(); i += EDGES_AT_ONCE) {
            ((WritableFollowGraph) sql.graph()).add(edges.subList(i, Math.min(edges.size(), i + EDGES_AT_ONCE)));
        }
        return readers;
    }

    /** Waits until no task is unfinished. */
    static void awaitDone(FeedEngine engine) {
        while (engine.fanout().backlog().tasks() > 0) {
            HeapWatch.pause(1);
        }
    }

    @Override
    public void close() {
        inboxes.close();
        sql.close();
        redis.close();
        database.close();
    }
}

package io.feedkit.bench.production;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.bench.jdbc.RoundTrips;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.ComposedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.PostArchive;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testservers.Durability;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A store on new servers: the production shape, or a single backend to compare it with. PostgreSQL flushes each commit.
 * Redis writes nothing to a disk if it has only inboxes, and each command if it has everything.
 */
final class Shape implements AutoCloseable {

    /** As in the example of the production shape. */
    private static final int CONNECTIONS = 40;

    private static final int EDGES_AT_ONCE = 1000;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final RoundTrips trips = new RoundTrips();
    private final Optional<BenchDatabase> database;
    private final Optional<BenchDatabase> archiveDatabase;
    private final Optional<BenchRedis> redis;
    private final Optional<HikariDataSource> pool;
    private final Optional<PostArchive> archive;
    private final FeedStore store;

    private Shape(Optional<BenchDatabase> database, Optional<BenchRedis> redis) {
        this.database = database;
        this.redis = redis;
        boolean both = database.isPresent() && redis.isPresent();
        archiveDatabase = both ? database.map(BenchDatabase::another) : Optional.empty();
        archive = archiveDatabase.map(second -> second.archive(opened(second.pool(trips, CONNECTIONS))));
        pool = database.map(first -> opened(first.pool(trips, CONNECTIONS)));
        store = opened(ComposedStore.of(this::compose));
    }

    /** The production shape, with an archive in a second database. */
    static Shape production() {
        return new Shape(
                Optional.of(BenchDatabase.open(Optional.empty())), Optional.of(new BenchRedis(Durability.FAST)));
    }

    /** Everything in PostgreSQL. */
    static Shape sqlAlone() {
        return new Shape(Optional.of(BenchDatabase.open(Optional.empty())), Optional.empty());
    }

    /** Everything in Redis. */
    static Shape redisAlone() {
        return new Shape(Optional.empty(), Optional.of(new BenchRedis(Durability.DURABLE)));
    }

    private FeedStore compose(ComposedStore.Parts parts) {
        if (database.isEmpty()) {
            RedisFeedStore whole = parts.add(redis.orElseThrow().store());
            return whole;
        }
        JdbcFeedStore sql = parts.add(database.get().store(pool.orElseThrow()));
        if (redis.isEmpty()) {
            return sql;
        }
        RedisInboxes inboxes = parts.add(redis.get().inboxes());
        return FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks(), inboxes.rankSnapshots());
    }

    private <T extends AutoCloseable> T opened(T part) {
        opened.push(part);
        return part;
    }

    /** An engine on the store, and on the archive if there is one. */
    FeedEngineBuilder engine() {
        FeedEngineBuilder builder = FeedEngine.builder(store);
        return archive.map(builder::archive).orElse(builder);
    }

    /** Lets an engine claim the archive, before statements by hand write to it. */
    void claimArchive() {
        engine().workers(0).build().close();
    }

    /** The database of the posts. */
    BenchDatabase database() {
        return database.orElseThrow();
    }

    BenchDatabase archiveDatabase() {
        return archiveDatabase.orElseThrow();
    }

    BenchRedis redis() {
        return redis.orElseThrow();
    }

    /** The host's pool, which the store shares; empty without SQL. */
    Optional<HikariDataSource> pool() {
        return pool;
    }

    /** Adds follows, author by author. */
    void follow(Map<String, Set<String>> followers) {
        List<Edge> edges = new ArrayList<>();
        followers.forEach((author, readers) -> readers.forEach(reader -> edges.add(new Edge(reader, author))));
        WritableFollowGraph graph = (WritableFollowGraph) store.graph();
        for (int from = 0; from < edges.size(); from += EDGES_AT_ONCE) {
            graph.add(edges.subList(from, Math.min(edges.size(), from + EDGES_AT_ONCE)));
        }
    }

    /** What this program and the servers have done so far. */
    Costs costs() {
        return new Costs(
                trips.count(),
                redis.map(server -> (double) server.calls("evalsha")).orElse(0.0),
                Costs.ownSeconds(),
                database.map(BenchDatabase::cpuSeconds).orElse(0.0),
                redis.map(BenchRedis::cpuSeconds).orElse(0.0));
    }

    @Override
    public void close() {
        try {
            while (!opened.isEmpty()) {
                opened.pop().close();
            }
        } catch (Exception e) {
            throw new IllegalStateException("a part of the store could not be closed", e);
        } finally {
            redis.ifPresent(BenchRedis::close);
            database.ifPresent(BenchDatabase::close);
        }
    }
}

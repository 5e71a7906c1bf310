package io.feedkit.bench.redis.ground;

import io.feedkit.bench.Scale;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testservers.Durability;
import java.util.ArrayList;
import java.util.List;

/** A server with two authors: one has very many followers, the other ten. */
public final class StarRedis implements AutoCloseable {

    public static final String STAR = "1029384756";
    public static final String FEW = "1029384757";

    private static final int PART = 10;
    private static final int FEW_FOLLOWERS = 10;
    private static final int BATCH = 10_000;

    private final BenchRedis redis;
    private final RedisFeedStore store;
    private final int followers;

    public StarRedis(Scale scale, Durability durability) {
        redis = new BenchRedis(durability);
        store = redis.store();
        followers = scale.followers() / PART;
        follow(STAR, followers);
        follow(FEW, FEW_FOLLOWERS);
    }

    private void follow(String author, int count) {
        for (int from = 0; from < count; from += BATCH) {
            List<Edge> edges = new ArrayList<>();
            for (int i = from; i < Math.min(from + BATCH, count); i++) {
                edges.add(new Edge(MadeUpGraph.user(i), author));
            }
            store.graph().add(edges);
        }
    }

    public BenchRedis redis() {
        return redis;
    }

    public RedisFeedStore store() {
        return store;
    }

    public int followers() {
        return followers;
    }

    @Override
    public void close() {
        store.close();
        redis.close();
    }
}

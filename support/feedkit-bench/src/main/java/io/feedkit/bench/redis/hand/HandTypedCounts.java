package io.feedkit.bench.redis.hand;

import io.feedkit.bench.redis.ground.BenchRedis;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Typed counters by hand: a hash for each user. Adds are flushed five hundred at a time, with two such batches under
 * way.
 */
public final class HandTypedCounts implements AutoCloseable {

    private static final int FLUSHED = 500;
    private static final int ON_THE_WAY = 2 * FLUSHED;

    private final StatefulRedisConnection<String, String> reads;
    private final StatefulRedisConnection<String, String> adds;

    public HandTypedCounts(BenchRedis redis) {
        reads = redis.connect(StringCodec.ASCII);
        adds = redis.connect(StringCodec.ASCII);
        adds.setAutoFlushCommands(false);
    }

    private static String key(String user) {
        return "hand:types:" + user;
    }

    public Map<String, String> read(String user) {
        return reads.sync().hgetall(key(user));
    }

    /** For one thread at a time. */
    public void add(List<String> users, String type) {
        Deque<RedisFuture<Long>> sent = new ArrayDeque<>();
        int unflushed = 0;
        for (String user : users) {
            sent.add(adds.async().hincrby(key(user), type, 1));
            if (++unflushed == FLUSHED) {
                adds.flushCommands();
                unflushed = 0;
                while (sent.size() > ON_THE_WAY) {
                    sent.remove().toCompletableFuture().join();
                }
            }
        }
        adds.flushCommands();
        sent.forEach(each -> each.toCompletableFuture().join());
    }

    @Override
    public void close() {
        reads.close();
        adds.close();
    }
}

package io.feedkit.bench.live.presence;

import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.PresenceStore;
import io.feedkit.testservers.Durability;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.List;
import java.util.stream.Stream;

/** Presence in Redis, and a sorted set by hand. */
final class RedisGround implements PresenceGround {

    private static final String KEY = "hand:online";

    private final BenchRedis redis = new BenchRedis(Durability.FAST);
    private final RedisInboxes inboxes = redis.inboxes();
    private final StatefulRedisConnection<String, String> connection = redis.connect(StringCodec.ASCII);

    @Override
    public PresenceStore store() {
        return inboxes.presence();
    }

    @Override
    public long bytes() {
        return redis.dataMemory();
    }

    @Override
    public HandPresence byHand() {
        return new HandPresence() {
            @Override
            public void report(List<String> readers, long until) {
                Object[] scoresAndReaders = readers.stream()
                        .flatMap(reader -> Stream.of((double) until, reader))
                        .toArray();
                connection.sync().zadd(KEY, scoresAndReaders);
            }

            @Override
            public int online(List<String> readers) {
                double now = System.currentTimeMillis();
                return (int) connection.sync().zmscore(KEY, readers.toArray(String[]::new)).stream()
                        .filter(until -> until != null && until > now)
                        .count();
            }
        };
    }

    @Override
    public void close() {
        connection.close();
        inboxes.close();
        redis.close();
    }
}

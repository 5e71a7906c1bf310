package io.feedkit.bench.redis.scripts;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.testservers.Durability;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.List;

/**
 * How long one call can occupy the server, which does nothing else meanwhile: the largest calls of each kind that the
 * store makes, in the cases where they take longest.
 */
public final class LongestScript implements Measurement {

    private static final int TIMES_A_ROUND = 20;
    private static final int USUAL_CAP = 1000;
    private static final int LARGE_CAP = 10_000;
    private static final int LARGEST_CAP = 100_000;
    private static final int MANY = 100;
    private static final int SOME = 10;

    @Override
    public String name() {
        return "scripts";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int times = TIMES_A_ROUND * scale.rounds();
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                RedisFeedStore store = redis.store();
                StatefulRedisConnection<String, String> connection = redis.connect(StringCodec.ASCII)) {
            SlowLog log = new SlowLog(connection);
            new InboxCalls(log, store, USUAL_CAP, MANY).make(times);
            new InboxCalls(log, store, LARGE_CAP, MANY).make(scale.rounds());
            new InboxCalls(log, store, LARGEST_CAP, SOME).make(scale.rounds());
            new ReaderCalls(log, store).make(times);
            new OutboxCalls(log, store.outbox()).make(times);
            new FanoutLogCalls(log, store.outbox()).make(times);
            new FollowGraphCalls(log, store.graph()).make(times);
            return log.figures(name());
        }
    }
}

package io.feedkit.bench.redis;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.bench.redis.hand.HandPipeline;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.Inbox;
import io.feedkit.testservers.Durability;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.List;
import java.util.stream.IntStream;

/** What an entry of a full inbox takes of the server's memory: author and time included, against a sorted set of the ids alone. */
final class EntryMemory implements Measurement {

    private static final int PART = 5000;
    private static final int FEWEST = 100;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int readers = Math.max(FEWEST, scale.followers() / PART);
        List<String> ids =
                IntStream.range(0, readers).mapToObj(MadeUpGraph::user).toList();
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                RedisInboxes inboxes = redis.inboxes();
                HandPipeline<String> hand = HandPipeline.plain(redis, ids);
                StatefulRedisConnection<String, String> connection = redis.connect(StringCodec.ASCII)) {
            Inbox inbox = inboxes.inbox(FullInboxes.LIMITS);
            inbox.deliver(List.of());
            double entries = (double) readers * FullInboxes.LIMITS.cap();
            long before = used(connection);
            FullInboxes.fillToCap(inbox, readers);
            long between = used(connection);
            hand.fill(FullInboxes.posts(FullInboxes.LIMITS.cap()));
            long after = used(connection);
            Medians bytes = new Medians((between - before) / entries, (after - between) / entries);
            return List.of(Figure.of(
                    name() + ": an entry of an inbox of 1000 (against a sorted set of ids)",
                    "bytes",
                    bytes,
                    new Target.AtMost(28)));
        }
    }

    private static long used(StatefulRedisConnection<String, String> connection) {
        return connection
                .sync()
                .info("memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .sum();
    }
}

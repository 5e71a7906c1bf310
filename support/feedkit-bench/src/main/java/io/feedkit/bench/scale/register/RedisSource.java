package io.feedkit.bench.scale.register;

import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.ground.CountedCommands;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.testservers.Durability;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;

/** Redis. */
final class RedisSource implements SourceServer {

    private final BenchRedis redis = new BenchRedis(Durability.FAST);
    private final StatefulRedisConnection<String, String> connection = redis.connect(StringCodec.ASCII);
    private final RedisFeedStore writers = redis.store();
    private final CountedCommands counted = new CountedCommands();
    private final RedisClient client = RedisClient.create(redis.uri());
    private final RedisFeedStore readers = counted();

    private RedisFeedStore counted() {
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .build());
        client.addListener(counted);
        return RedisFeedStore.create(RedisServers.of(client));
    }

    @Override
    public Outbox writers() {
        return writers.outbox();
    }

    @Override
    public Outbox readers() {
        return readers.outbox();
    }

    @Override
    public WritableFollowGraph graph() {
        return writers.graph();
    }

    @Override
    public double calls() {
        return counted.counts().commands();
    }

    @Override
    public double cpuSeconds() {
        return connection
                .sync()
                .info("cpu")
                .lines()
                .filter(line -> line.startsWith("used_cpu_sys:") || line.startsWith("used_cpu_user:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    @Override
    public void settle() {
        // Nothing is left to be done.
    }

    @Override
    public void close() {
        readers.close();
        client.shutdown();
        writers.close();
        connection.close();
        redis.close();
    }
}

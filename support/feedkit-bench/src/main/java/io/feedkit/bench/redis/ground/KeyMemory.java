package io.feedkit.bench.redis.ground;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.function.Predicate;

/** The memory of keys on a server, as the server reports it for every element. */
public final class KeyMemory {

    private static final StringCodec CODEC = StringCodec.ASCII;

    private KeyMemory() {}

    /** The bytes of all keys that match. */
    public static long bytes(BenchRedis redis, Predicate<String> meant) {
        try (StatefulRedisConnection<String, String> connection = redis.connect(CODEC)) {
            List<RedisFuture<Long>> answers = ScanIterator.scan(connection.sync()).stream()
                    .distinct()
                    .filter(meant)
                    .map(key -> usage(connection, key))
                    .toList();
            return answers.stream()
                    .mapToLong(answer -> answer.toCompletableFuture().join())
                    .sum();
        }
    }

    private static RedisFuture<Long> usage(StatefulRedisConnection<String, String> connection, String key) {
        CommandArgs<String, String> arguments =
                new CommandArgs<>(CODEC).add("USAGE").addKey(key).add("SAMPLES").add(0);
        return connection.async().dispatch(CommandType.MEMORY, new IntegerOutput<>(CODEC), arguments);
    }
}

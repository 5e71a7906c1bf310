package io.feedkit.bench.redis.ground;

import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** An empty server, and clients as a host would create them. */
public final class BenchRedis implements AutoCloseable {

    private final RedisServer server;
    private final RedisClient client;

    public BenchRedis(Durability durability) {
        server = RedisServer.start(durability);
        client = RedisClient.create(uri());
    }

    public RedisURI uri() {
        return RedisURI.create(server.uri());
    }

    public int port() {
        return server.port();
    }

    public RedisInboxes inboxes() {
        return RedisInboxes.create(RedisServers.at(uri()));
    }

    public RedisFeedStore store() {
        return RedisFeedStore.create(RedisServers.at(uri()));
    }

    public <T> StatefulRedisConnection<T, T> connect(RedisCodec<T, T> codec) {
        return client.connect(codec);
    }

    public <T> StatefulRedisPubSubConnection<T, T> connectPubSub(RedisCodec<T, T> codec) {
        return client.connectPubSub(codec);
    }

    /** How many commands of a name, in lower case, the server has run. */
    public long calls(String command) {
        return number("commandstats", "cmdstat_" + command + ":calls=").orElse(0L);
    }

    /** The memory of all keys with their values, in bytes; large values are estimated from some of their elements. */
    public long dataMemory() {
        try (StatefulRedisConnection<String, String> connection = connect(StringCodec.ASCII)) {
            ScanArgs many = ScanArgs.Builder.limit(1000);
            KeyScanCursor<String> found = connection.sync().scan(many);
            long bytes = sum(connection, found.getKeys());
            while (!found.isFinished()) {
                found = connection.sync().scan(found, many);
                bytes += sum(connection, found.getKeys());
            }
            return bytes;
        }
    }

    private static long sum(StatefulRedisConnection<String, String> connection, List<String> keys) {
        return keys.stream()
                .map(connection.sync()::memoryUsage)
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .sum();
    }

    /** The processor time that the server has used, in seconds. */
    public double cpuSeconds() {
        return seconds("used_cpu_sys:") + seconds("used_cpu_user:");
    }

    private double seconds(String name) {
        return Double.parseDouble(value("cpu", name).orElseThrow().trim());
    }

    private Optional<Long> number(String section, String name) {
        return value(section, name).map(value -> value.split("\\D", 2)[0]).map(Long::valueOf);
    }

    /** What follows the name in its line. */
    private Optional<String> value(String section, String name) {
        try (StatefulRedisConnection<String, String> connection = connect(StringCodec.ASCII)) {
            return connection
                    .sync()
                    .info(section)
                    .lines()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()))
                    .findFirst();
        }
    }

    @Override
    public void close() {
        client.shutdown();
        server.close();
    }
}

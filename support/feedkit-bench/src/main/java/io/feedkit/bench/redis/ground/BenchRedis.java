package io.feedkit.bench.redis.ground;

import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;

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

    @Override
    public void close() {
        client.shutdown();
        server.close();
    }
}

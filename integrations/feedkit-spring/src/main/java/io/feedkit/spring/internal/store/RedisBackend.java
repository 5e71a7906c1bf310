package io.feedkit.spring.internal.store;

import static io.feedkit.spring.internal.settings.Setting.apply;

import io.feedkit.FeedKitException;
import io.feedkit.live.LiveBus;
import io.feedkit.redis.RedisCounterStore;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisLiveBus;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.InvalidSettingException;
import java.util.function.Supplier;

/** Opens what FeedKit keeps in Redis. */
public final class RedisBackend {

    private final FeedKitProperties.Redis properties;
    private final RedisServers servers;

    /** Creates a backend, without a connection. */
    public RedisBackend(FeedKitProperties properties, RedisServers servers) {
        this.properties = properties.redis();
        this.servers = servers;
    }

    RedisInboxes inboxes() {
        RedisInboxes.Builder builder = RedisInboxes.builder(servers);
        apply("feedkit.redis.prefix", properties.prefix(), builder::prefix);
        apply("feedkit.redis.timeout", properties.timeout(), builder::timeout);
        apply("feedkit.redis.start-without-server", properties.startWithoutServer(), builder::startWithoutServer);
        return open(
                builder::build,
                "Start Redis, correct the address, or set feedkit.redis.start-without-server=true to start without"
                        + " it. For inboxes in SQL, set feedkit.inboxes=jdbc.");
    }

    RedisFeedStore store() {
        RedisFeedStore.Builder builder = RedisFeedStore.builder(servers);
        apply("feedkit.redis.prefix", properties.prefix(), builder::prefix);
        apply("feedkit.redis.timeout", properties.timeout(), builder::timeout);
        apply("feedkit.redis.replicas", properties.replicas(), builder::replicas);
        return open(builder::build, "Start Redis, or correct the address.");
    }

    RedisCounterStore counters() {
        RedisCounterStore.Builder builder = RedisCounterStore.builder(servers);
        apply("feedkit.redis.prefix", properties.prefix(), builder::prefix);
        apply("feedkit.redis.timeout", properties.timeout(), builder::timeout);
        return open(builder::build, "Start Redis, correct the address, or set feedkit.counters.store.");
    }

    WriteBehindCounterStore writeBehind(CounterSource source) {
        WriteBehindCounterStore.Builder builder = WriteBehindCounterStore.builder(servers, source);
        apply("feedkit.redis.prefix", properties.prefix(), builder::prefix);
        apply("feedkit.redis.timeout", properties.timeout(), builder::timeout);
        return open(builder::build, "Start Redis, correct the address, or set feedkit.counters.store=jdbc.");
    }

    LiveBus bus() {
        RedisLiveBus.Builder builder = RedisLiveBus.builder(servers);
        apply("feedkit.redis.prefix", properties.prefix(), builder::prefix);
        apply("feedkit.redis.timeout", properties.timeout(), builder::timeout);
        return builder.build();
    }

    private <T> T open(Supplier<T> build, String remedy) {
        try {
            return build.get();
        } catch (FeedKitException e) {
            throw new InvalidSettingException(
                    properties.uri() == null ? "spring.data.redis" : "feedkit.redis.uri",
                    servers,
                    "Redis cannot be used: " + e.getMessage() + ".",
                    remedy,
                    e);
        }
    }
}

package io.feedkit.spring.internal.store;

import static io.feedkit.spring.internal.settings.Setting.apply;

import io.feedkit.jdbc.PostgresLiveBus;
import io.feedkit.live.LiveBus;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.InvalidSettingException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Chooses the bus of live feeds. */
public final class LiveBuses {

    private static final String PROPERTY = "feedkit.live.bus";

    private LiveBuses() {}

    /** Opens the bus that the property names; null for none. */
    public static @Nullable LiveBus choose(
            FeedKitProperties properties, StoreParts parts, @Nullable RedisBackend redis) {
        return switch (properties.live().bus()) {
            case AUTO -> parts.inRedis() && redis != null ? redis.bus() : null;
            case NONE -> null;
            case POSTGRES ->
                postgres(
                        properties.jdbc(),
                        parts.dataSource().orElseThrow(() -> missing("postgres", "the store is not in SQL.")));
            case REDIS -> {
                if (redis == null) {
                    throw missing("redis", "the address of Redis is not known.");
                }
                yield redis.bus();
            }
        };
    }

    private static LiveBus postgres(FeedKitProperties.Jdbc properties, DataSource dataSource) {
        PostgresLiveBus.Builder builder = PostgresLiveBus.builder(dataSource);
        apply("feedkit.jdbc.schema", properties.schema(), builder::schema);
        apply("feedkit.jdbc.prefix", properties.prefix(), builder::prefix);
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(
                    PROPERTY, "postgres", e.getMessage() + ".", "Set " + PROPERTY + " to none or redis.", e);
        }
    }

    private static InvalidSettingException missing(String value, String problem) {
        return new InvalidSettingException(
                PROPERTY, value, problem, "Set " + PROPERTY + " to none, or configure the server.", null);
    }
}

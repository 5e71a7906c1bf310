package io.feedkit.spring.internal.store;

import static io.feedkit.spring.internal.settings.Setting.apply;

import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.redis.RedisCounterStore;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.InvalidSettingException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens the store of counters that the properties name, and closes it. For use by one thread. */
public final class CounterStores implements AutoCloseable {

    private static final String PROPERTY = "feedkit.counters.store";

    private final FeedKitProperties properties;
    private final Optional<DataSource> dataSource;
    private final @Nullable RedisBackend redis;
    private final Deque<Runnable> opened = new ArrayDeque<>();

    /**
     * Creates stores, without opening one.
     *
     * @param dataSource the data source with FeedKit's tables
     * @param redis Redis, if its address is known
     */
    public CounterStores(FeedKitProperties properties, Optional<DataSource> dataSource, @Nullable RedisBackend redis) {
        this.properties = properties;
        this.dataSource = dataSource;
        this.redis = redis;
    }

    /** Opens the store that the property names. */
    public CounterStore open() {
        return switch (properties.counters().store()) {
            case AUTO -> automatic();
            case JDBC -> sql(database("jdbc"));
            case REDIS -> inRedis(redis("redis"));
            case WRITE_BEHIND -> writeBehind(redis("write-behind"), sql(database("write-behind")));
            case MEMORY -> InMemoryCounterStore.create();
        };
    }

    private CounterStore automatic() {
        if (dataSource.isPresent()) {
            return sql(dataSource.get());
        }
        return properties.store() != FeedKitProperties.Store.MEMORY && redis != null
                ? inRedis(redis)
                : InMemoryCounterStore.create();
    }

    private JdbcCounterStore sql(DataSource database) {
        JdbcCounterStore.Builder builder = JdbcCounterStore.builder(database);
        apply("feedkit.jdbc.schema", properties.jdbc().schema(), builder::schema);
        apply("feedkit.jdbc.prefix", properties.jdbc().prefix(), builder::prefix);
        apply(
                "feedkit.jdbc.maintenance-interval",
                properties.jdbc().maintenanceInterval(),
                builder::maintenanceInterval);
        JdbcCounterStore store = builder.build();
        return add(store, store::close);
    }

    private CounterStore inRedis(RedisBackend backend) {
        RedisCounterStore store = backend.counters();
        return add(store, store::close);
    }

    private CounterStore writeBehind(RedisBackend backend, CounterSource source) {
        WriteBehindCounterStore store = backend.writeBehind(source);
        return add(store, store::close);
    }

    private <T extends CounterStore> T add(T store, Runnable close) {
        opened.push(close);
        return store;
    }

    /** Closes what was opened, the last store first: it writes to the one before. */
    @Override
    public void close() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
    }

    private DataSource database(String value) {
        return dataSource.orElseThrow(() -> missing(value, "the posts are not in SQL."));
    }

    private RedisBackend redis(String value) {
        if (redis == null) {
            throw missing(value, "the address of Redis is not known, or feedkit-redis is not on the class path.");
        }
        return redis;
    }

    private static InvalidSettingException missing(String value, String problem) {
        return new InvalidSettingException(
                PROPERTY,
                value,
                problem,
                "Configure the server, or set " + PROPERTY + " to auto, jdbc, redis, write-behind or memory.",
                null);
    }
}

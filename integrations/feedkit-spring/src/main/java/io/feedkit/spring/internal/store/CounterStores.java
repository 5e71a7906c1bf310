package io.feedkit.spring.internal.store;

import static io.feedkit.spring.internal.settings.Setting.apply;

import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.redis.RedisCounterStore;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.FeedKitProperties.Counters.Kind;
import io.feedkit.spring.FeedKitProperties.Store;
import io.feedkit.spring.InvalidSettingException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the store of counters that the properties name, and closes it. For use by one thread. */
public final class CounterStores implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CounterStores.class);
    private static final String PROPERTY = "feedkit.counters.store";

    private final FeedKitProperties properties;
    private final Database database;
    private final Optional<BooleanSupplier> ownStoreInSql;
    private final @Nullable RedisBackend redis;
    private final Deque<Runnable> opened = new ArrayDeque<>();

    /**
     * Creates stores, without opening one.
     *
     * @param database the application's database, if it has one
     * @param redis Redis, if its address is known
     * @param ownStoreInSql whether the feed store of the application's own is in SQL; empty if it has none
     * @throws InvalidSettingException if a property names a store that cannot be opened
     */
    public CounterStores(
            FeedKitProperties properties,
            Database database,
            @Nullable RedisBackend redis,
            Optional<BooleanSupplier> ownStoreInSql) {
        this.properties = properties;
        this.database = database;
        this.redis = redis;
        this.ownStoreInSql = ownStoreInSql;
        requirePossible(properties.counters().store());
    }

    private void requirePossible(Kind kind) {
        String value = name(kind);
        boolean behind = kind == Kind.WRITE_BEHIND;
        if (behind || kind == Kind.REDIS) {
            redis(value);
        }
        if (behind || kind == Kind.JDBC) {
            present(database.find(), value);
        }
    }

    private static String name(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Opens the store that the property names. */
    public CounterStore open() {
        return switch (properties.counters().store()) {
            case AUTO -> automatic();
            case JDBC -> sql(tables("jdbc"));
            case REDIS -> inRedis(redis("redis"));
            case WRITE_BEHIND -> writeBehind(redis("write-behind"), sql(tables("write-behind")));
            case MEMORY -> InMemoryCounterStore.create();
        };
    }

    private CounterStore automatic() {
        boolean sql = properties.store() == Store.JDBC || properties.store() == Store.AUTO;
        boolean beside = ownStoreInSql.map(BooleanSupplier::getAsBoolean).orElse(true);
        Optional<DataSource> found = sql && beside ? database.withTables() : Optional.empty();
        if (found.isPresent()) {
            return sql(found.get());
        }
        if (properties.store() != Store.MEMORY && redis != null) {
            return inRedis(redis);
        }
        if (ownStoreInSql.isPresent()) {
            log.warn("FeedKit keeps unread counters, counters and reactions in memory, although the application has a"
                    + " feed store of its own: define a CounterStore bean, or set " + PROPERTY + "=memory if this is"
                    + " meant");
        }
        return InMemoryCounterStore.create();
    }

    private JdbcCounterStore sql(DataSource dataSource) {
        JdbcCounterStore.Builder builder = JdbcCounterStore.builder(dataSource);
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

    private DataSource tables(String value) {
        return present(database.withTables(), value);
    }

    private static DataSource present(Optional<DataSource> found, String value) {
        return found.orElseThrow(() -> missing(value, "there is no DataSource bean."));
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

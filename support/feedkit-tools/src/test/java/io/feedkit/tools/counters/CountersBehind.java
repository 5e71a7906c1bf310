package io.feedkit.tools.counters;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.jdbc.JdbcTransaction;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.testservers.RedisServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Stores on one H2 behind one Redis. */
final class CountersBehind implements AutoCloseable {

    /** Longer than any test: such a store flushes when it is told to. */
    static final Duration NEVER = Duration.ofDays(1);

    /** What a test does at a call. */
    interface Step {
        void run() throws Exception;
    }

    private final HikariDataSource pool = new HikariDataSource(config());
    private final String prefix = "b" + UUID.randomUUID().toString().substring(0, 8);
    private final List<WriteBehindCounterStore> stores = new ArrayList<>();
    private final JdbcCounterStore sql;

    CountersBehind() {
        this(settings -> settings);
    }

    CountersBehind(UnaryOperator<JdbcCounterStore.Builder> settings) {
        JdbcSchema.of(pool).create();
        sql = sql(settings);
    }

    /** Another store on the same tables. */
    JdbcCounterStore sql(UnaryOperator<JdbcCounterStore.Builder> settings) {
        return settings.apply(JdbcCounterStore.builder(pool).maintenanceInterval(Duration.ZERO))
                .build();
    }

    private static HikariConfig config() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return config;
    }

    JdbcCounterStore sql() {
        return sql;
    }

    /** Does work in a transaction on the tables, and ends it. */
    void inTransaction(WriteBehindCounterStore store, boolean committed, Consumer<CounterStore> work) {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            work.accept(store.in(sql.in(JdbcTransaction.of(connection))));
            if (committed) {
                connection.commit();
            } else {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    WriteBehindCounterStore store(CounterSource source) {
        return store(source, NEVER);
    }

    WriteBehindCounterStore store(CounterSource source, Duration interval) {
        return store(source, settings -> settings.flushInterval(interval));
    }

    WriteBehindCounterStore store(CounterSource source, UnaryOperator<WriteBehindCounterStore.Builder> settings) {
        WriteBehindCounterStore store = settings.apply(WriteBehindCounterStore.builder(
                                RedisServers.at(RedisServer.shared().uri()), source)
                        .prefix(prefix))
                .build();
        stores.add(store);
        return store;
    }

    /** The source, but a step comes before the first call of a method. */
    CounterSource before(String name, Step step) {
        AtomicBoolean done = new AtomicBoolean();
        return (CounterSource) Proxy.newProxyInstance(
                CounterSource.class.getClassLoader(),
                new Class<?>[] {CounterSource.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals(name) && !done.getAndSet(true)) {
                        step.run();
                    }
                    return proceed(method, arguments);
                });
    }

    private Object proceed(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(sql, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public void close() {
        stores.forEach(WriteBehindCounterStore::close);
        pool.close();
    }
}

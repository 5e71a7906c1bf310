package io.feedkit.tools.counters;

import io.feedkit.FeedKitException;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.redis.RedisCounterStore;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.tools.servers.RunKeys;
import io.feedkit.tools.servers.RunTables;
import io.feedkit.tools.servers.ShownUrl;
import java.time.Duration;
import java.util.Optional;

/** Where counters can be kept: the one place that turns what {@code --store} says into a store. */
final class CounterStores {

    /** What the names of tables and keys begin with. */
    private static final String RUN = "counters";

    /** A step holds one connection. */
    private static final int SPARE_CONNECTIONS = 2;

    private CounterStores() {}

    /**
     * A store for one run. Closing it removes what the run left on a server.
     *
     * @param store the store
     * @param flush writes what a cache has and the store has not
     * @param lose empties the cache
     * @param onClose removes what is left
     */
    record OpenStore(CounterStore store, Runnable flush, Runnable lose, Runnable onClose) implements AutoCloseable {
        /** Without a cache. */
        OpenStore(CounterStore store, Runnable onClose) {
            this(store, () -> {}, () -> {}, onClose);
        }

        @Override
        public void close() {
            onClose.run();
        }
    }

    /**
     * Opens an empty store.
     *
     * @throws IllegalArgumentException if there is no such store
     */
    static OpenStore open(String url, Optional<String> cache, int threads) {
        if (cache.isPresent()) {
            return openCached(url, cache.get(), threads);
        }
        if (url.equals("memory")) {
            return new OpenStore(InMemoryCounterStore.create(), () -> {});
        }
        if (url.startsWith("jdbc:")) {
            return openSql(url, threads);
        }
        if (url.startsWith("redis")) {
            return openRedis(url);
        }
        throw new IllegalArgumentException(
                "store must be memory, a JDBC URL or redis://HOST:PORT, but is " + ShownUrl.of(url));
    }

    private static OpenStore openCached(String url, String cache, int threads) {
        if (!url.startsWith("jdbc:") || !cache.startsWith("redis")) {
            throw new IllegalArgumentException(
                    "cache must be redis://HOST:PORT before a store that is a JDBC URL, but is " + cache + " before "
                            + url);
        }
        RunTables tables = RunTables.create(url, RUN, threads + SPARE_CONNECTIONS);
        RunKeys keys = RunKeys.at(cache, RUN);
        try {
            WriteBehindCounterStore store = WriteBehindCounterStore.builder(RedisServers.at(cache), sql(tables))
                    .prefix(keys.prefix())
                    .build();
            if (!store.isRedisReachable()) {
                store.close();
                throw new IllegalArgumentException("it cannot be reached");
            }
            return new OpenStore(store, store::flush, keys::remove, () -> {
                store.close();
                keys.remove();
                tables.close();
            });
        } catch (FeedKitException | IllegalArgumentException e) {
            tables.close();
            throw new IllegalArgumentException("cache cannot be used: " + e.getMessage(), e);
        }
    }

    private static JdbcCounterStore sql(RunTables tables) {
        return JdbcCounterStore.builder(tables.dataSource())
                .prefix(tables.prefix())
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    private static OpenStore openRedis(String url) {
        RunKeys keys = RunKeys.at(url, RUN);
        try {
            RedisCounterStore store = RedisCounterStore.builder(RedisServers.at(url))
                    .prefix(keys.prefix())
                    .build();
            return new OpenStore(store, () -> {
                store.close();
                keys.remove();
            });
        } catch (FeedKitException | IllegalArgumentException e) {
            throw new IllegalArgumentException("store cannot be used: " + e.getMessage(), e);
        }
    }

    private static OpenStore openSql(String url, int threads) {
        RunTables tables = RunTables.create(url, RUN, threads + SPARE_CONNECTIONS);
        try {
            return new OpenStore(sql(tables), tables::close);
        } catch (FeedKitException e) {
            tables.close();
            throw new IllegalArgumentException("store cannot be used: " + e.getMessage(), e);
        }
    }
}

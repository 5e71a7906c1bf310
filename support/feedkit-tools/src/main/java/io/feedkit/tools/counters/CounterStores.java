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

/** Opens the store that {@code --store} and {@code --cache} name. */
final class CounterStores {

    /** The prefix of the names of tables and keys. */
    private static final String RUN = "counters";

    /** Connections in addition to one per thread. */
    private static final int SPARE_CONNECTIONS = 2;

    private CounterStores() {}

    /**
     * A store for one run. Closing it deletes the run's data from the server.
     *
     * @param store the store
     * @param flush writes the unwritten changes of the cache to the store
     * @param lose empties the cache
     * @param onClose deletes the run's data
     */
    record OpenStore(CounterStore store, Runnable flush, Runnable lose, Runnable onClose) implements AutoCloseable {
        /** A store without a cache. */
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
            throw new IllegalArgumentException("cache must be redis://HOST:PORT, and store a JDBC URL, but they are "
                    + ShownUrl.of(cache) + " and " + ShownUrl.of(url));
        }
        RunTables tables = RunTables.create(url, RUN, threads + SPARE_CONNECTIONS);
        RunKeys keys = RunKeys.at(cache, RUN);
        try {
            WriteBehindCounterStore store = WriteBehindCounterStore.builder(RedisServers.at(cache), sql(tables))
                    .prefix(keys.prefix())
                    .build();
            if (!store.isRedisReachable()) {
                store.close();
                throw new IllegalArgumentException("the server cannot be reached");
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

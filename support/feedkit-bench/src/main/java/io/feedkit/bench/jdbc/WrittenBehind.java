package io.feedkit.bench.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.bench.Callers;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.counter.Counters;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.testservers.Durability;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Adds to counters in PostgreSQL behind Redis, flushed every second, against adds that are never flushed. */
final class WrittenBehind implements Measurement {

    private static final int THREADS = 8;
    private static final int COUNTERS = 10_000;
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration NEVER = Duration.ofDays(1);
    /** Long enough for a few flushes. */
    private static final Duration SHORTEST = Duration.ofSeconds(3);

    private final Optional<String> url;

    WrittenBehind(Optional<String> url) {
        this.url = url;
    }

    @Override
    public String name() {
        return "behind";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        AtomicLong rows = new AtomicLong();
        try (BenchDatabase database = BenchDatabase.open(url);
                HikariDataSource pool = database.pool();
                BenchRedis redis = new BenchRedis(Durability.FAST);
                WriteBehindCounterStore flushed = store(redis, "flushed", EVERY, database.counters(pool));
                WriteBehindCounterStore unflushed = store(redis, "unflushed", NEVER, database.counters(pool));
                WriteBehindCounterStore counted =
                        store(redis, "counted", NEVER, counting(database.counters(pool), rows))) {
            Duration window = scale.window().compareTo(SHORTEST) < 0 ? SHORTEST : scale.window();
            Callers callers = new Callers(THREADS, window);
            Rounds.Medians adds =
                    Rounds.of(scale).medians(() -> add(callers, flushed, "f"), () -> add(callers, unflushed, "u"));
            return List.of(
                    Figure.of(
                            name() + ": " + THREADS + " threads, " + COUNTERS
                                    + " counters, flushed every second (against never)",
                            "adds/s",
                            adds,
                            new Target.RatioAtLeast(0.8)),
                    new Figure(
                            name() + ": rows written by a flush (against counters that changed)",
                            "rows",
                            written(counted, rows),
                            COUNTERS,
                            new Target.RatioAtMost(1)));
        }
    }

    private static WriteBehindCounterStore store(
            BenchRedis redis, String prefix, Duration interval, CounterSource source) {
        return WriteBehindCounterStore.builder(RedisServers.at(redis.uri()), source)
                .prefix(prefix)
                .flushInterval(interval)
                .build();
    }

    private static double add(Callers callers, WriteBehindCounterStore store, String start) {
        Counters counters = Counters.of(store);
        return callers.perSecond(chance -> counters.add("plays", start + chance.nextInt(COUNTERS), 1));
    }

    /** Adds to each counter several times, and returns the rows written per counter. */
    private static double written(WriteBehindCounterStore store, AtomicLong rows) {
        Counters counters = Counters.of(store);
        new Callers(THREADS, EVERY)
                .forEach(
                        IntStream.range(0, 3 * COUNTERS).boxed().toList(),
                        i -> counters.add("plays", "c" + i % COUNTERS, 1));
        store.flush();
        store.flush();
        return rows.get();
    }

    /** The source, which also counts the written cells. */
    private static CounterSource counting(CounterSource source, AtomicLong rows) {
        return (CounterSource) Proxy.newProxyInstance(
                CounterSource.class.getClassLoader(),
                new Class<?>[] {CounterSource.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("write")) {
                        rows.addAndGet(((Map<?, ?>) arguments[0]).size());
                    }
                    try {
                        return method.invoke(source, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}

package io.feedkit.bench.brokers;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.bench.jdbc.RoundTrips;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.memory.InMemoryFanoutQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The round trips of fifty idle engines to a database. */
final class IdleEngines implements Measurement {

    private static final int ENGINES = 50;

    /** After this time idle engines poll at their lowest rate. */
    private static final long SETTLED_MILLIS = 5_000;

    private static final int WINDOWS = 4;

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        RoundTrips trips = new RoundTrips();
        try (BenchDatabase database = BenchDatabase.open(Optional.empty());
                HikariDataSource pool = database.pool(trips);
                JdbcFeedStore store = database.storeWithoutMaintenance(pool);
                InMemoryFanoutQueue queue = InMemoryFanoutQueue.create()) {
            double queued = tripsPerSecond(scale, trips, store, builder -> builder.fanoutQueue(queue));
            double direct = tripsPerSecond(scale, trips, store, UnaryOperator.identity());
            return List.of(new Figure(
                    name() + ": " + ENGINES + " engines on a queue (against direct claims)",
                    "round trips/s",
                    queued,
                    direct,
                    new Target.RatioAtMost(0.1)));
        }
    }

    private static double tripsPerSecond(
            Scale scale, RoundTrips trips, JdbcFeedStore store, UnaryOperator<FeedEngineBuilder> settings) {
        List<FeedEngine> engines = new ArrayList<>();
        try {
            for (int i = 0; i < ENGINES; i++) {
                engines.add(settings.apply(FeedEngine.builder(store).name("idle" + i))
                        .build());
            }
            HeapWatch.pause(SETTLED_MILLIS);
            long before = trips.count();
            long start = System.nanoTime();
            HeapWatch.pause(WINDOWS * scale.idle().toMillis());
            return (trips.count() - before) * 1e9 / (System.nanoTime() - start);
        } finally {
            engines.forEach(FeedEngine::close);
        }
    }
}

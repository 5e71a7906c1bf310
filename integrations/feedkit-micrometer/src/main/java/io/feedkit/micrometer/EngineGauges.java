package io.feedkit.micrometer;

import io.feedkit.EngineClosedException;
import io.feedkit.FeedEngine;
import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.TaskKind;
import io.feedkit.health.Health;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/** The gauges of one engine. Those that need a call to the store are read from a {@link Sample}. */
final class EngineGauges {

    /** How long a part of the store may take to answer. */
    private static final Duration CHECK_LIMIT = Duration.ofSeconds(2);

    private final FeedEngine engine;
    private final Sample<Backlog> backlog;
    private final Sample<Health> health;

    private EngineGauges(FeedEngine engine, Duration interval, LongSupplier clock) {
        this.engine = engine;
        backlog = new Sample<>(
                "feedkit-metrics-backlog", interval, () -> engine.fanout().backlog(), clock);
        health = new Sample<>("feedkit-metrics-store", interval, () -> engine.check(CHECK_LIMIT), clock);
    }

    static void register(Meters meters, FeedEngine engine, Duration interval) {
        EngineGauges gauges = new EngineGauges(engine, interval, meters::now);
        gauges.registerBacklog(meters);
        gauges.registerStore(meters);
        meters.gauge("feedkit.live.subscribers", "Subscribers of live feeds on this engine", gauges::subscribers);
    }

    private void registerBacklog(Meters meters) {
        meters.gauge("feedkit.backlog.tasks", "Unfinished fan-out tasks", of(Backlog::due), "state", "due");
        meters.gauge("feedkit.backlog.tasks", "Unfinished fan-out tasks", of(Backlog::deferred), "state", "deferred");
        for (TaskKind kind : TaskKind.values()) {
            meters.gauge(
                    "feedkit.backlog.kind.tasks",
                    "Unfinished fan-out tasks by kind; NaN if the store cannot count by kind",
                    of(latest -> count(latest, kind)),
                    "kind",
                    Names.of(kind));
        }
        meters.gauge("feedkit.backlog.lent.tasks", "Due tasks in the fan-out queue", of(Backlog::lent));
        meters.time(
                "feedkit.backlog.age",
                "How long the oldest post has been waiting to show to its readers",
                of(latest -> latest.age().toNanos()));
        meters.gauge("feedkit.dead.letters", "Fan-out tasks that failed too often", of(Backlog::deadLetters));
        meters.time("feedkit.backlog.sample.age", "Time since the backlog was counted", this::sampleAge);
    }

    private static double count(Backlog latest, TaskKind kind) {
        boolean isCounted = !latest.byKind().isEmpty() || latest.tasks() == 0;
        return isCounted ? latest.byKind().getOrDefault(kind, 0L) : Double.NaN;
    }

    private void registerStore(Meters meters) {
        for (Health.Part part : Health.Part.values()) {
            meters.state(
                    "feedkit.store.up",
                    "Whether a part of the store answers",
                    () -> of(part, answer -> answer.isUp() ? 1 : 0),
                    "part",
                    Names.of(part));
            meters.time(
                    "feedkit.store.latency",
                    "How long a part of the store takes to answer",
                    () -> of(part, answer -> answer.latency().toNanos()),
                    "part",
                    Names.of(part));
        }
    }

    private DoubleSupplier of(ToDoubleFunction<Backlog> number) {
        return () -> {
            health.ask(); // so that a scrape waits for both calls at the same time
            return backlog.latest().map(number::applyAsDouble).orElse(Double.NaN);
        };
    }

    private double sampleAge() {
        health.ask();
        return backlog.age();
    }

    private double of(Health.Part part, ToDoubleFunction<Health.Answer> number) {
        backlog.ask();
        return health.latest()
                .filter(latest -> latest.parts().containsKey(part))
                .map(latest -> number.applyAsDouble(latest.part(part)))
                .orElse(Double.NaN);
    }

    private double subscribers() {
        try {
            return engine.liveSubscribers();
        } catch (EngineClosedException e) {
            return Double.NaN;
        }
    }
}

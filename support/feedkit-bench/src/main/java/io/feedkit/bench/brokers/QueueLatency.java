package io.feedkit.bench.brokers;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.brokers.BenchQueue.OpenQueue;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** The time from a publish to the delivery, with 500 posts a second to 10 followers each. */
final class QueueLatency implements Measurement {

    private static final int FOLLOWERS = 10;
    private static final int AUTHORS = 50;
    private static final int POSTS_A_SECOND = 500;
    private static final int WINDOWS = 8;
    private static final double MICROS_PER_MILLI = 1000;

    private final AtomicInteger posts = new AtomicInteger();

    private record Latency(double p50, double p99) {}

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        List<Figure> figures = new ArrayList<>();
        try (BrokerGround ground = new BrokerGround()) {
            for (int i = 0; i < AUTHORS; i++) {
                ground.follow("author" + i, FOLLOWERS);
            }
            for (BenchQueue kind : BenchQueue.ALL) {
                Optional<OpenQueue> opened = kind.open().get();
                if (opened.isPresent()) {
                    try (OpenQueue queue = opened.get()) {
                        figures.addAll(figures(ground, scale, kind, queue));
                    }
                }
            }
        }
        return figures;
    }

    private List<Figure> figures(BrokerGround ground, Scale scale, BenchQueue kind, OpenQueue queue) {
        List<Latency> queued = new ArrayList<>();
        List<Latency> direct = new ArrayList<>();
        for (int round = -1; round < scale.rounds(); round++) {
            Latency ofQueue = latency(ground.engine("queued").fanoutQueue(queue.queue()), scale);
            Latency ofClaims = latency(ground.engine("direct"), scale);
            if (round >= 0) {
                queued.add(ofQueue);
                direct.add(ofClaims);
            }
        }
        Medians p50 = new Medians(
                Rounds.median(queued.stream().map(Latency::p50).toList()),
                Rounds.median(direct.stream().map(Latency::p50).toList()));
        Medians p99 = new Medians(
                Rounds.median(queued.stream().map(Latency::p99).toList()),
                Rounds.median(direct.stream().map(Latency::p99).toList()));
        return List.of(
                Figure.of(
                        name() + ": " + kind.name() + ", publish to delivery, p50 (against direct claims)",
                        "ms",
                        p50,
                        new Target.AtMost(p50.baseline() + 25)),
                Figure.of(
                        name() + ": " + kind.name() + ", publish to delivery, p99 (against direct claims)",
                        "ms",
                        p99,
                        new Target.AtMost(p99.baseline() + 250)));
    }

    private Latency latency(FeedEngineBuilder builder, Scale scale) {
        Map<String, Long> published = new ConcurrentHashMap<>();
        Histogram micros = new ConcurrentHistogram(3);
        FeedListener listener = new FeedListener() {
            @Override
            public void delivered(PostDelivered event) {
                Long begun = published.remove(event.post().id());
                if (begun != null) {
                    micros.recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun));
                }
            }
        };
        try (FeedEngine engine = builder.listener(listener).build()) {
            publish(engine, published, POSTS_A_SECOND / 10);
            BrokerGround.awaitDone(engine);
            micros.reset();
            publish(engine, published, (int)
                    (POSTS_A_SECOND * WINDOWS * scale.window().toMillis() / 1000));
            BrokerGround.awaitDone(engine);
        }
        return new Latency(
                micros.getValueAtPercentile(50) / MICROS_PER_MILLI, micros.getValueAtPercentile(99) / MICROS_PER_MILLI);
    }

    private void publish(FeedEngine engine, Map<String, Long> published, int count) {
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long due = start + i * 1_000_000_000L / POSTS_A_SECOND;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            String id = String.format("%018d", posts.getAndIncrement());
            published.put(id, System.nanoTime());
            engine.publish("author" + i % AUTHORS, id);
        }
    }
}

package io.feedkit.bench.brokers;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.brokers.BenchQueue.OpenQueue;
import io.feedkit.event.FeedListener;
import io.feedkit.event.TaskFinished;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.Outbox.Publication;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Tasks a second through each queue, against workers that claim from the log. */
final class QueueThroughput implements Measurement {

    private static final int MANY = 1000;
    private static final int FEW = 10;
    private static final int MANY_TASKS = 100;
    private static final int FEW_TASKS = 3000;
    private static final int APPENDED_AT_ONCE = 1000;

    private final AtomicInteger posts = new AtomicInteger();

    @Override
    public String name() {
        return "throughput";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        List<Figure> figures = new ArrayList<>();
        Rounds rounds = new Rounds(scale.rounds(), 1);
        try (BrokerGround ground = new BrokerGround()) {
            ground.follow("many", MANY);
            ground.follow("few", FEW);
            for (BenchQueue kind : BenchQueue.ALL) {
                Optional<OpenQueue> opened = kind.open().get();
                if (opened.isPresent()) {
                    try (OpenQueue queue = opened.get()) {
                        figures.add(figure(ground, rounds, kind, queue, "many", MANY, MANY_TASKS));
                        figures.add(figure(ground, rounds, kind, queue, "few", FEW, FEW_TASKS));
                    }
                }
            }
        }
        return figures;
    }

    private Figure figure(
            BrokerGround ground,
            Rounds rounds,
            BenchQueue kind,
            OpenQueue queue,
            String author,
            int followers,
            int tasks) {
        return Figure.of(
                name() + ": " + kind.name() + ", " + followers + " followers (against direct claims)",
                "tasks/s",
                rounds.medians(
                        () -> tasksPerSecond(ground, ground.engine("queued").fanoutQueue(queue.queue()), author, tasks),
                        () -> tasksPerSecond(ground, ground.engine("direct"), author, tasks)),
                followers == MANY ? new Target.RatioAtLeast(0.85) : Target.NONE);
    }

    private double tasksPerSecond(BrokerGround ground, FeedEngineBuilder builder, String author, int tasks) {
        AtomicInteger finished = new AtomicInteger();
        FeedListener counting = new FeedListener() {
            @Override
            public void taskFinished(TaskFinished event) {
                finished.incrementAndGet();
            }
        };
        try (FeedEngine engine = builder.listener(counting).build()) {
            // The first message waits for subscriptions to be made.
            append(ground, author, 1);
            engine.fanout().replay(List.of());
            await(finished, 1);
            long start = System.nanoTime();
            for (int appended = 0; appended < tasks; appended += APPENDED_AT_ONCE) {
                append(ground, author, Math.min(APPENDED_AT_ONCE, tasks - appended));
            }
            engine.fanout().replay(List.of());
            await(finished, tasks + 1);
            return tasks * 1e9 / (System.nanoTime() - start);
        }
    }

    /** Asks nobody: a look at the backlog would cost the database more than the tasks. */
    private static void await(AtomicInteger finished, int tasks) {
        while (finished.get() < tasks) {
            HeapWatch.pause(1);
        }
    }

    private void append(BrokerGround ground, String author, int count) {
        List<Publication> publications = new ArrayList<>();
        long now = System.currentTimeMillis();
        for (int i = 0; i < count; i++) {
            String id = String.format("%018d", posts.getAndIncrement());
            publications.add(new Publication(Post.of(author, id, now), FanoutMode.PUSH));
        }
        ground.sql().outbox().append(publications);
    }
}

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

/**
 * Tasks a second through each queue, against workers that claim from the log. The posts are of many authors with
 * different followers. The figure for one author depends on more: all posts go into the same inboxes, where late posts
 * are expensive, and the workers' schedule decides how many are late.
 */
final class QueueThroughput implements Measurement {

    private static final int APPENDED_AT_ONCE = 1000;

    /** The smallest number of followers in a scale with which the workloads have their full size. */
    private static final int WHOLE = Scale.QUICK.followers();

    /** The number of authors, the followers of each, and the number of posts to fan out. */
    private record Workload(String name, int authors, int followers, int posts) {
        String author(int number) {
            return name + number % authors;
        }

        /** The workload for a scale: with fewer posts, and no more authors than posts. */
        Workload in(Scale scale) {
            int fewer = (int) ((long) posts * Math.min(WHOLE, scale.followers()) / WHOLE);
            return new Workload(name, Math.min(authors, fewer), followers, fewer);
        }

        @Override
        public String toString() {
            return followers + " followers" + (authors == 1 ? " of one author" : "");
        }
    }

    private static final Workload MANY = new Workload("many", 20, 1000, 200);
    private static final Workload FEW = new Workload("few", 100, 10, 3000);
    private static final Workload ONE_AUTHOR = new Workload("one", 1, 1000, 100);

    private final AtomicInteger posts = new AtomicInteger();

    @Override
    public String name() {
        return "throughput";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        List<Figure> figures = new ArrayList<>();
        Rounds rounds = new Rounds(scale.rounds(), 1);
        Workload many = MANY.in(scale);
        Workload few = FEW.in(scale);
        Workload oneAuthor = ONE_AUTHOR.in(scale);
        try (BrokerGround ground = new BrokerGround()) {
            for (Workload workload : List.of(many, few, oneAuthor)) {
                for (int i = 0; i < workload.authors(); i++) {
                    ground.follow(workload.author(i), workload.followers());
                }
            }
            for (BenchQueue kind : BenchQueue.ALL) {
                Optional<OpenQueue> opened = kind.open().get();
                if (opened.isPresent()) {
                    try (OpenQueue queue = opened.get()) {
                        figures.add(figure(ground, rounds, kind, queue, many, new Target.RatioAtLeast(0.85)));
                        figures.add(figure(ground, rounds, kind, queue, few, Target.NONE));
                        figures.add(figure(ground, rounds, kind, queue, oneAuthor, Target.NONE));
                    }
                }
            }
        }
        return figures;
    }

    private Figure figure(
            BrokerGround ground, Rounds rounds, BenchQueue kind, OpenQueue queue, Workload workload, Target target) {
        return Figure.of(
                name() + ": " + kind.name() + ", " + workload + " (against direct claims)",
                "tasks/s",
                rounds.medians(
                        () -> tasksPerSecond(ground, ground.engine("queued").fanoutQueue(queue.queue()), workload),
                        () -> tasksPerSecond(ground, ground.engine("direct"), workload)),
                target);
    }

    private double tasksPerSecond(BrokerGround ground, FeedEngineBuilder builder, Workload workload) {
        AtomicInteger finished = new AtomicInteger();
        FeedListener counting = new FeedListener() {
            @Override
            public void taskFinished(TaskFinished event) {
                finished.incrementAndGet();
            }
        };
        try (FeedEngine engine = builder.listener(counting).build()) {
            // The first message waits until the subscriptions exist.
            append(ground, workload, 1);
            engine.fanout().replay(List.of());
            await(finished, 1);
            long start = System.nanoTime();
            for (int appended = 0; appended < workload.posts(); appended += APPENDED_AT_ONCE) {
                append(ground, workload, Math.min(APPENDED_AT_ONCE, workload.posts() - appended));
            }
            engine.fanout().replay(List.of());
            await(finished, workload.posts() + 1);
            return workload.posts() * 1e9 / (System.nanoTime() - start);
        }
    }

    /** Does not query the backlog: that would cost the database more than the tasks. */
    private static void await(AtomicInteger finished, int tasks) {
        while (finished.get() < tasks) {
            HeapWatch.pause(1);
        }
    }

    private void append(BrokerGround ground, Workload workload, int count) {
        List<Publication> publications = new ArrayList<>();
        long now = System.currentTimeMillis();
        for (int i = 0; i < count; i++) {
            int number = posts.getAndIncrement();
            Post post = Post.of(workload.author(number), String.format("%018d", number), now);
            publications.add(new Publication(post, FanoutMode.PUSH));
        }
        ground.sql().outbox().append(publications);
    }
}

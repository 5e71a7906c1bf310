package io.feedkit.bench.brokers;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.brokers.BenchQueue.OpenQueue;
import io.feedkit.bench.brokers.LateInbox.Deliveries;
import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.bench.jdbc.FollowLoad;
import io.feedkit.jdbc.JdbcFeedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The time of one post to very many followers with one, two and four processes of one worker each. The inboxes answer
 * late, so the processes mostly wait. Otherwise the machine's processors, which they share, would limit them.
 */
final class WorkerProcesses implements Measurement {

    private static final String AUTHOR = "star";
    private static final int MOST_FOLLOWERS = 1_000_000;
    private static final int FEWER = 5;

    /**
     * A part has at most the total number of followers divided by this. For a million followers, that is the default.
     */
    private static final int PARTS = 10;

    private static final long LATE_MILLIS = 25;
    private static final long LOOK_MILLIS = 20;
    private static final int WARM_UPS = 3;
    private static final int MOST_ROUNDS = 3;

    private int posts;

    @Override
    public String name() {
        return "processes";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int followers = Math.min(MOST_FOLLOWERS, scale.followers() / FEWER);
        BenchQueue kind = BenchQueue.RABBITMQ;
        Optional<OpenQueue> opened = kind.open().get();
        if (opened.isEmpty()) {
            kind = BenchQueue.KAFKA;
            opened = kind.open().get();
        }
        try (OpenQueue queue = opened.orElseThrow();
                BenchDatabase database = BenchDatabase.open(Optional.empty());
                JdbcFeedStore store = database.store()) {
            FollowLoad.follow(database, AUTHOR, followers);
            database.settle("follow", "follow_count");
            Rounds rounds = new Rounds(Math.min(MOST_ROUNDS, scale.rounds()), 0);
            try (FeedEngine publisher = FeedEngine.builder(store)
                    .fanoutQueue(queue.queue())
                    .workers(0)
                    .build()) {
                String of = kind.name() + ", " + followers + " followers";
                return List.of(
                        figure(rounds, publisher, database, queue, of, followers, 2, 0.6),
                        figure(rounds, publisher, database, queue, of, followers, 4, 0.4));
            }
        }
    }

    private Figure figure(
            Rounds rounds,
            FeedEngine publisher,
            BenchDatabase database,
            OpenQueue queue,
            String of,
            int followers,
            int processes,
            double target) {
        return Figure.of(
                name() + ": " + of + ", first to last delivery, " + processes + " processes (against one)",
                "s",
                rounds.medians(
                        () -> seconds(publisher, database, queue, followers, processes),
                        () -> seconds(publisher, database, queue, followers, 1)),
                new Target.RatioAtMost(target));
    }

    private double seconds(
            FeedEngine publisher, BenchDatabase database, OpenQueue queue, int followers, int processes) {
        List<WorkerProcess> workers = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                workers.add(new WorkerProcess(database.url(), queue.address(), followers / PARTS));
            }
            workers.forEach(WorkerProcess::awaitReady);
            for (int i = 0; i < WARM_UPS; i++) {
                publish(publisher);
            }
            workers.forEach(worker -> worker.begin(LATE_MILLIS));
            publish(publisher);
            Deliveries made = workers.stream().map(WorkerProcess::deliveries).reduce(Deliveries.NONE, Deliveries::plus);
            require(made, followers);
            return (made.lastMillis() - made.firstMillis()) / 1e3;
        } finally {
            workers.forEach(WorkerProcess::close);
        }
    }

    private void publish(FeedEngine publisher) {
        publisher.publish(AUTHOR, String.format("%018d", posts++));
        while (publisher.fanout().backlog().tasks() > 0) {
            HeapWatch.pause(LOOK_MILLIS);
        }
    }

    /** Checks the number of deliveries. A part repeats the batch that was delivered before the split. */
    private static void require(Deliveries made, int followers) {
        int wanted = followers + FeedEngineBuilder.DEFAULT_BATCH_SIZE;
        if (made.readers() != wanted) {
            throw new IllegalStateException(wanted + " deliveries must be made, but " + made.readers() + " were made");
        }
    }
}

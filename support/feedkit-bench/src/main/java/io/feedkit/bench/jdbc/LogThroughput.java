package io.feedkit.bench.jdbc;

import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.Publication;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tasks a second that some workers together claim and finish, 64 at a time, like the engine's workers. Also checks that
 * no task was claimed twice.
 */
final class LogThroughput implements Measurement {

    private static final List<Integer> WORKERS = List.of(1, 4, 16);
    private static final int CLAIMS = 64;
    private static final int APPENDS = 1000;
    private static final int PART = 500;
    private static final int LEAST_TASKS = 1000;
    private static final int MAX_ROUNDS = 3;
    private static final long LEASE_MILLIS = 300_000;
    private static final long RETAIN_MILLIS = 3_600_000;

    private final Optional<String> url;
    private int posts;
    private int done;
    private int twice;

    LogThroughput(Optional<String> url) {
        this.url = url;
    }

    @Override
    public String name() {
        return "log";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int tasks = Math.max(LEAST_TASKS, scale.followers() / PART);
        Rounds rounds = new Rounds(Math.min(MAX_ROUNDS, scale.rounds()), 1);
        List<Figure> figures = new ArrayList<>();
        try (BenchDatabase database = BenchDatabase.open(url)) {
            HandQueue.create(database);
            try (JdbcFeedStore store = database.store()) {
                for (int workers : WORKERS) {
                    Medians medians = rounds.medians(
                            () -> ofStore(database, store.outbox(), workers, tasks),
                            () -> byHand(database, workers, tasks));
                    figures.add(Figure.of(
                            name() + ": claimed and finished by " + workers + (workers == 1 ? " worker" : " workers")
                                    + " (against SKIP LOCKED and DELETE by hand)",
                            "tasks/s",
                            medians,
                            Target.NONE));
                }
            }
        }
        figures.add(new Figure(
                name() + ": claimed by two workers within a lease (of all)",
                "tasks",
                twice,
                done,
                new Target.AtMost(0)));
        return figures;
    }

    private double ofStore(BenchDatabase database, Outbox outbox, int workers, int tasks) {
        for (int appended = 0; appended < tasks; appended += APPENDS) {
            outbox.append(publications(Math.min(APPENDS, tasks - appended)));
        }
        database.settle("task");
        FanoutLog log = outbox.fanout();
        Set<String> seen = ConcurrentHashMap.newKeySet();
        AtomicInteger again = new AtomicInteger();
        AtomicInteger finished = new AtomicInteger();
        long nanos = Workers.run(workers, () -> {
            List<Claim> claims = log.claim(CLAIMS, LEASE_MILLIS);
            claims.stream().filter(claim -> !seen.add(claim.task().id())).forEach(claim -> again.incrementAndGet());
            if (!claims.isEmpty()) {
                log.finish(claims, RETAIN_MILLIS).forEach(ok -> finished.addAndGet(ok ? 1 : 0));
            }
            return !claims.isEmpty();
        });
        if (nanos > LEASE_MILLIS * 1_000_000) {
            throw new IllegalStateException("the workers must be done within a lease, but took " + nanos + " ns");
        }
        requireAll(tasks, finished.get());
        done += tasks;
        twice += again.get();
        return tasks * 1e9 / nanos;
    }

    private List<Publication> publications(int count) {
        List<Publication> publications = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Post post = Post.of("star", String.format("%018d", posts++), PostLoad.END);
            publications.add(new Publication(post, FanoutMode.PUSH));
        }
        return publications;
    }

    private static double byHand(BenchDatabase database, int workers, int tasks) {
        HandQueue.fill(database, tasks);
        database.settle("hand_task");
        AtomicInteger finished = new AtomicInteger();
        List<HandQueue> queues = new ArrayList<>();
        try {
            ThreadLocal<HandQueue> own = ThreadLocal.withInitial(() -> {
                HandQueue queue = new HandQueue(database);
                synchronized (queues) {
                    queues.add(queue);
                }
                return queue;
            });
            long nanos = Workers.run(workers, () -> {
                List<Long> ids = own.get().claim(CLAIMS);
                if (!ids.isEmpty()) {
                    own.get().finish(ids);
                    finished.addAndGet(ids.size());
                }
                return !ids.isEmpty();
            });
            requireAll(tasks, finished.get());
            return tasks * 1e9 / nanos;
        } finally {
            queues.forEach(HandQueue::close);
        }
    }

    private static void requireAll(int tasks, int finished) {
        if (finished != tasks) {
            throw new IllegalStateException(tasks + " tasks must be finished, but " + finished + " were finished");
        }
    }
}

package io.feedkit.bench.live;

import io.feedkit.bench.Callers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Publishes posts at a steady pace, and records the times from the beginning of each publish to the events of the post.
 * Events may arrive on many threads; posts are published by one caller at a time.
 */
final class PacedPosts {

    private static final double MICROS_PER_MILLI = 1000;

    private final int postsPerSecond;
    private final int eventsPerPost;
    private final AtomicInteger posts = new AtomicInteger();
    private final Map<String, Long> begun = new ConcurrentHashMap<>();
    private volatile Histogram micros = new ConcurrentHistogram(3);
    private volatile ExpectedEvents expected = new ExpectedEvents(0);

    /** Publishes a post of the author with this number. Each publisher has a thread of its own. */
    interface Publisher {
        void publish(int author, String id);
    }

    /** Percentiles in milliseconds. */
    record Latency(double p50, double p99) {}

    PacedPosts(int postsPerSecond, int eventsPerPost) {
        this.postsPerSecond = postsPerSecond;
        this.eventsPerPost = eventsPerPost;
    }

    /** An event of a post has arrived; posts of others are ignored. */
    void arrived(String id) {
        Long start = begun.get(id);
        if (start != null) {
            micros.recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start));
            expected.arrived();
        }
    }

    /** How many posts are published in a time, at least one for each publisher. */
    int countFor(Duration time, int publishers) {
        return (int) Math.max(publishers, postsPerSecond * time.toMillis() / 1000);
    }

    /**
     * Publishes posts, the authors in turn, and waits for all of their events.
     *
     * @param count how many posts
     * @param authors the number of authors
     * @param publishers publish the posts in turn
     */
    Latency publish(int count, int authors, List<Publisher> publishers) {
        micros = new ConcurrentHistogram(3);
        begun.clear();
        ExpectedEvents events = new ExpectedEvents((long) count * eventsPerPost);
        expected = events;
        long start = System.nanoTime();
        List<Integer> threads = IntStream.range(0, publishers.size()).boxed().toList();
        new Callers(publishers.size(), Duration.ZERO).forEach(threads, thread -> {
            for (int i = thread; i < count; i += publishers.size()) {
                waitUntil(start + i * 1_000_000_000L / postsPerSecond);
                String id = String.format("%018d", posts.getAndIncrement());
                begun.put(id, System.nanoTime());
                publishers.get(thread).publish(i % authors, id);
            }
        });
        events.await();
        events.requireNoMore();
        return new Latency(
                micros.getValueAtPercentile(50) / MICROS_PER_MILLI, micros.getValueAtPercentile(99) / MICROS_PER_MILLI);
    }

    private static void waitUntil(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}

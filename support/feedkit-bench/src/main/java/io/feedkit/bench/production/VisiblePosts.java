package io.feedkit.bench.production;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.bench.HeapWatch;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Publishes posts at a steady pace, and records the times from when each post was due until all inboxes had it. A post
 * that is three seconds late is not published any more, and counts with that time.
 */
final class VisiblePosts implements FeedListener, AutoCloseable {

    private static final int PUBLISHERS = 16;
    private static final long TOO_LATE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final PageRequest FIRST_PAGE = PageRequest.first(50);

    private final Map<String, Long> due = new ConcurrentHashMap<>();
    private final AtomicInteger posts = new AtomicInteger();
    private final Histogram nanos = new ConcurrentHistogram(3);
    private final FeedEngine engine;

    VisiblePosts(Shape shape) {
        Followers.follow(shape);
        engine = shape.engine().listener(this).build();
        Followers.visit(engine);
    }

    @Override
    public void delivered(PostDelivered event) {
        Long since = due.remove(event.post().id());
        if (since != null) {
            nanos.recordValue(System.nanoTime() - since);
        }
    }

    Latency publish(int perSecond, Duration time) {
        nanos.reset();
        new OpenLoop(perSecond, PUBLISHERS).run(time, this::publish);
        awaitDelivered();
        requireVisible();
        return Latency.of(nanos);
    }

    private void publish(int number, long dueAt) {
        long late = System.nanoTime() - dueAt;
        if (late > TOO_LATE_NANOS) {
            nanos.recordValue(late);
            return;
        }
        String id = id(posts.getAndIncrement());
        due.put(id, dueAt);
        engine.publish(Followers.author(number), id);
    }

    private static String id(int number) {
        return String.format("%018d", number);
    }

    private void awaitDelivered() {
        long end = System.nanoTime() + LONGEST_NANOS;
        while (!due.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(due.size() + " posts must be delivered, such as "
                        + due.keySet().iterator().next());
            }
            HeapWatch.pause(1);
        }
    }

    /** Checks that the events mean what they say: a page shows the latest post. */
    private void requireVisible() {
        for (int author = 0; author < Followers.AUTHORS; author++) {
            String reader = Followers.followerOf(author);
            String name = Followers.author(author);
            String latest =
                    engine.readAuthor(name, PageRequest.first(1)).items().get(0).id();
            if (engine.read(reader, FIRST_PAGE).items().stream()
                    .noneMatch(post -> post.id().equals(latest))) {
                throw new IllegalStateException("the feed of " + reader + " must show post " + latest + " of " + name);
            }
        }
    }

    @Override
    public void close() {
        engine.close();
    }
}

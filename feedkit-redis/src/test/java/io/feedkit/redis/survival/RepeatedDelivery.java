package io.feedkit.redis.survival;

import io.feedkit.FeedKitException;
import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Delivers one post after another to a reader of its own, repeats each delivery until it is acknowledged, and remembers
 * when it was.
 */
final class RepeatedDelivery implements Runnable {

    private static final long PAUSE_MILLIS = 20;

    private final Inbox inbox;
    private final String reader;
    private final Map<Post, Long> acknowledged = new LinkedHashMap<>();
    private final List<FeedKitException> failures = new ArrayList<>();
    private long longestNanos;
    private volatile boolean over;

    RepeatedDelivery(Inbox inbox, String reader) {
        this.inbox = inbox;
        this.reader = reader;
    }

    @Override
    public void run() {
        for (int i = 0; !over; i++) {
            Post post = Post.of("bob", "p" + i, i);
            while (!delivered(post) && !over) {
                pause(PAUSE_MILLIS);
            }
            pause(1);
        }
    }

    private boolean delivered(Post post) {
        long begun = System.nanoTime();
        try {
            Outcome outcome = inbox.deliver(List.of(new Delivery(post, List.of(reader), 0)))
                    .get(0)
                    .get(0);
            if (outcome == Outcome.NOT_LIVE) {
                throw new AssertionError("the inbox of " + reader + " is gone");
            }
            synchronized (this) {
                acknowledged.put(post, System.nanoTime());
            }
            return true;
        } catch (FeedKitException e) {
            failures.add(e);
            return false;
        } finally {
            longestNanos = Math.max(longestNanos, System.nanoTime() - begun);
        }
    }

    private static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void stop() {
        over = true;
    }

    String reader() {
        return reader;
    }

    /** The posts whose delivery the store acknowledged, with the times. */
    synchronized Map<Post, Long> acknowledged() {
        return new LinkedHashMap<>(acknowledged);
    }

    /** Call it after the delivery has ended. */
    List<FeedKitException> failures() {
        return failures;
    }

    /** Call it after the delivery has ended. */
    long longestNanos() {
        return longestNanos;
    }
}

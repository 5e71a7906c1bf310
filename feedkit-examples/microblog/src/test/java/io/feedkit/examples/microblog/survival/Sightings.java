package io.feedkit.examples.microblog.survival;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** When a page or a stream first showed each post to a reader. Thread-safe. */
final class Sightings {

    private record Sighting(String reader, String text) {}

    private final Map<Sighting, Long> first = new ConcurrentHashMap<>();
    private final AtomicLong slowest = new AtomicLong();

    void saw(String reader, Ledger.Entry entry) {
        long now = System.nanoTime();
        if (first.putIfAbsent(new Sighting(reader, entry.text()), now) == null) {
            slowest.accumulateAndGet(entry.publish().sinceReturn(now), Math::max);
        }
    }

    /** Whether a reader had seen a post some time before another time. */
    boolean isSeen(String reader, Ledger.Entry entry, long time, Duration before) {
        Long at = first.get(new Sighting(reader, entry.text()));
        return at != null && at + before.toNanos() - time < 0;
    }

    /** The longest time from an acknowledged publish until a reader saw the post, in milliseconds. */
    long slowestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(slowest.get());
    }
}

package io.feedkit.tools.replay;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The figures of a run.
 *
 * @param meters counts of the engine's events
 * @param publishNanos the publishing time per post
 * @param replayed the time of the events and their fan-out
 * @param read the time of the final reads
 * @param heapBytes the heap used at the end
 * @param archived whether there was an archive
 * @param copied whether inboxes were copied
 * @param digest the digest of all feeds; empty if not requested
 * @param unreadDigest the digest of all unread counts; empty if not requested
 */
record Report(
        Meters meters,
        Histogram publishNanos,
        Duration replayed,
        Duration read,
        long heapBytes,
        boolean archived,
        boolean copied,
        String digest,
        String unreadDigest) {

    private static final double NANOS = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double BYTES_PER_MIB = 1 << 20;

    /** Prints one line per figure. */
    void print(PrintWriter out) {
        line(out, "posts", meters.posts());
        line(out, "deliveries", meters.deliveries());
        line(out, "pulled posts", meters.pulledPosts());
        line(out, "seconds", String.format(Locale.ROOT, "%.3f", replayed.toNanos() / NANOS));
        line(out, "deliveries/s", perSecond(meters.deliveries(), replayed));
        line(out, "publish p50/p99", percentiles(publishNanos));
        line(out, "read p50/p99", percentiles(meters.readNanos()));
        line(out, "reads/s", perSecond(meters.readNanos().getTotalCount(), read));
        line(out, "posts served from inboxes", meters.fromInboxes());
        line(out, "posts served from outboxes", meters.fromOutboxes());
        line(out, "outbox calls", meters.outboxCalls());
        if (archived) {
            line(out, "archived posts", meters.archivedPosts());
        }
        if (copied) {
            line(out, "inboxes filled from copies", meters.filledFromCopies());
        }
        line(out, "heap used", String.format(Locale.ROOT, "%.1f MiB", heapBytes / BYTES_PER_MIB));
        if (!digest.isEmpty()) {
            line(out, "digest", digest);
        }
        if (!unreadDigest.isEmpty()) {
            line(out, "unread digest", unreadDigest);
        }
        out.flush();
    }

    private static void line(PrintWriter out, String key, Object value) {
        out.println(key + ": " + value);
    }

    private static long perSecond(long count, Duration time) {
        return Math.round(count * NANOS / Math.max(1, time.toNanos()));
    }

    private static String percentiles(Histogram nanos) {
        return String.format(
                Locale.ROOT,
                "%.1f us / %.1f us",
                nanos.getValueAtPercentile(50) / NANOS_PER_MICRO,
                nanos.getValueAtPercentile(99) / NANOS_PER_MICRO);
    }
}

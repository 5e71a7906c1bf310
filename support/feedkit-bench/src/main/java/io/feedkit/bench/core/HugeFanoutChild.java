package io.feedkit.bench.core;

import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.ChildJvm;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.core.PacedReaders.Latencies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;

/**
 * The small JVM of {@link HugeFanout}. In every round the readers first read while nothing else happens. Then they read
 * while the engine's own workers fan out a post of the star; all live readers are checked. Then the same fan-out goes
 * into plain inboxes.
 */
final class HugeFanoutChild {

    static final String SPEED = "fan-out while others read";
    static final String P50 = "p50 of reads during the fan-out";
    static final String P99 = "p99 of reads during the fan-out";
    static final String P99_SINCE_DUE = "p99 of reads since they were due";
    static final String PEAK = "peak heap used";

    private static final int FOLLOWERS_PER_LIVE_READER = 1000;
    private static final int WRITERS = 10;
    private static final int OTHERS = 200;
    private static final int PLAIN_CAP = 100;
    private static final double NANOS_PER_MILLI = 1e6;

    private final StarFeed feed;
    private final PacedReaders others;
    private final PlainInboxes plain;
    private final long idleMillis;
    private final Map<String, List<Medians>> samples = new HashMap<>();

    private HugeFanoutChild(int followers, long idleMillis) {
        this.idleMillis = idleMillis;
        this.feed = new StarFeed(followers, followers / FOLLOWERS_PER_LIVE_READER, UnaryOperator.identity());
        this.others = new PacedReaders(feed.engine(), openOthers());
        this.plain = new PlainInboxes(feed.graph(), PLAIN_CAP);
        feed.live().forEach(reader -> plain.open(reader, feed.earlier()));
    }

    /**
     * Runs all rounds and prints the medians.
     *
     * @param args the number of followers, the number of rounds, and how long to watch idle readers, in milliseconds
     */
    public static void main(String[] args) {
        int followers = Integer.parseInt(args[0]);
        int rounds = Integer.parseInt(args[1]);
        HugeFanoutChild child = new HugeFanoutChild(followers, Long.parseLong(args[2]));
        try (child.feed) {
            child.round();
            child.samples.clear();
            for (int i = 0; i < rounds; i++) {
                child.round();
            }
        }
        child.samples.forEach((name, values) -> ChildJvm.print(
                name,
                new Medians(
                        Rounds.median(values.stream().map(Medians::value).toList()),
                        Rounds.median(values.stream().map(Medians::baseline).toList()))));
    }

    /** Readers with full inboxes who do not follow the star. */
    private List<String> openOthers() {
        int first = feed.followers();
        int posts = 0;
        for (int i = 0; i < WRITERS; i++) {
            for (int j = 0; j < PageRequest.MAX_LIMIT / WRITERS; j++) {
                feed.engine().publish("writer-" + i, String.format("w%08d", posts++));
            }
        }
        feed.engine().fanout().drain();
        List<String> readers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            feed.graph().follow("writer-" + i, first, first + OTHERS);
        }
        for (int i = 0; i < OTHERS; i++) {
            readers.add(MadeUpGraph.user(first + i));
            feed.engine().read(readers.get(i), PageRequest.first(1));
        }
        return readers;
    }

    private void round() {
        HeapWatch heap = new HeapWatch();
        double liveMegabytes = HeapWatch.liveMegabytes();
        Latencies idle = others.during(() -> HeapWatch.pause(idleMillis));

        long[] nanos = new long[1];
        Post[] post = new Post[1];
        heap.start();
        Latencies busy = others.during(() -> {
            long start = System.nanoTime();
            post[0] = feed.publish();
            while (feed.engine().fanout().backlog().tasks() > 0) {
                HeapWatch.pause(1);
            }
            nanos[0] = System.nanoTime() - start;
        });
        double peak = heap.stop();
        feed.requireDelivered(post[0]);

        long start = System.nanoTime();
        int reached = plain.fanOut(post[0]);
        double plainSpeed = reached * 1e9 / (System.nanoTime() - start);
        if (reached != feed.followers()) {
            throw new IllegalStateException("the plain fan-out reached " + reached + " of " + feed.followers());
        }
        sample(SPEED, feed.followers() * 1e9 / nanos[0], plainSpeed);
        sample(P50, millis(busy.ofCalls(), 50), millis(idle.ofCalls(), 50));
        sample(P99, millis(busy.ofCalls(), 99), millis(idle.ofCalls(), 99));
        sample(P99_SINCE_DUE, millis(busy.sinceDue(), 99), millis(idle.sinceDue(), 99));
        sample(PEAK, peak, liveMegabytes);
    }

    private void sample(String name, double value, double baseline) {
        samples.computeIfAbsent(name, key -> new ArrayList<>()).add(new Medians(value, baseline));
    }

    private static double millis(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }
}

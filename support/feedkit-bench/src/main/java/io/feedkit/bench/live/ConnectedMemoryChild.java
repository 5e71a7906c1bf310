package io.feedkit.bench.live;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.bench.ChildJvm;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import java.lang.ref.Reference;

/**
 * The JVM of {@link ConnectedMemory}. Before readers connect, their inboxes are open and hold as many posts as arrive
 * later, and the engine's caches are full. So the growth of the heap is that of the connections. It includes the ids
 * of the readers, their presence, and a subscriber without fields of its own for each.
 */
final class ConnectedMemoryChild {

    static final String BYTES = "a connected reader";
    static final String LIVE = "live data";
    static final String RATE = "connected a second";

    private static final int FOLLOWEES = 200;
    private static final double MEGABYTE = 1 << 20;

    private final int readers;
    private final int events;
    private final SharedFollows follows;

    /** Counts the next events. */
    private volatile ExpectedEvents expected = new ExpectedEvents(0);

    private record Growth(long before, long after, double seconds) {
        double bytesEach(int readers) {
            return (double) (after - before) / readers;
        }
    }

    private ConnectedMemoryChild(int readers, int events) {
        this.readers = readers;
        this.events = events;
        this.follows = new SharedFollows(readers, FOLLOWEES);
    }

    /**
     * Connects the readers, and prints what they take.
     *
     * @param args the number of readers, and how many events each gets
     */
    public static void main(String[] args) {
        ConnectedMemoryChild child = new ConnectedMemoryChild(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
        Growth byHand = child.byHand();
        Growth live = child.live();
        ChildJvm.print(BYTES, new Medians(live.bytesEach(child.readers), byHand.bytesEach(child.readers)));
        ChildJvm.print(LIVE, new Medians(live.after() / MEGABYTE, live.before() / MEGABYTE));
        ChildJvm.print(RATE, new Medians(child.readers / live.seconds(), child.readers / byHand.seconds()));
    }

    private Growth live() {
        InMemoryFeedStore memory = InMemoryFeedStore.create();
        FeedStore store = FeedStore.of(memory.outbox(), memory::inbox, follows, memory.seenMarks());
        try (FeedEngine engine = FeedEngine.builder(store).build()) {
            for (int i = 0; i < events; i++) {
                engine.publish(SharedFollows.EVERYBODYS, String.format("before-%06d", i));
            }
            engine.fanout().drain();
            for (int i = 0; i < readers; i++) {
                engine.read(SharedFollows.reader(i), PageRequest.first(1));
            }
            PostSubscribers subscribers = new PostSubscribers(post -> expected.arrived());
            long before = HeapWatch.liveBytes();

            long start = System.nanoTime();
            for (int i = 0; i < readers; i++) {
                subscribers.add(engine, SharedFollows.reader(i));
            }
            double seconds = 0;
            for (int i = 0; i < events; i++) {
                expected = new ExpectedEvents(readers);
                engine.publish(SharedFollows.EVERYBODYS, String.format("event-%06d", i));
                long last = expected.await();
                seconds = i == 0 ? (last - start) / 1e9 : seconds;
            }
            expected.requireNoMore();
            subscribers.requireNoFailure();
            return new Growth(before, HeapWatch.liveBytes(), seconds);
        }
    }

    private Growth byHand() {
        long before = HeapWatch.liveBytes();
        HandIndex index = new HandIndex();
        try {
            long start = System.nanoTime();
            for (int i = 0; i < readers; i++) {
                index.connect(SharedFollows.reader(i), follows.followees(i).toList());
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            return new Growth(before, HeapWatch.liveBytes(), seconds);
        } finally {
            Reference.reachabilityFence(index);
        }
    }
}

package io.feedkit.survival.live;

import io.feedkit.FeedKitException;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.survival.live.Ledger.Entry;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Reads the newest page of some readers right after a post has arrived: the post must be on it. Thread-safe. */
final class Probes implements Client.Observer, AutoCloseable {

    private static final int WAITING = 20;
    private static final int SELDOM = 4;

    private final Ledger ledger;
    private final Random random;
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final ExecutorService thread = new ThreadPoolExecutor(
            1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), new ThreadPoolExecutor.DiscardPolicy());

    Probes(Ledger ledger, long seed) {
        this.ledger = ledger;
        this.random = new Random(seed);
    }

    @Override
    public void arrived(LiveEngine engine, String reader, Post post) {
        if (engine instanceof LocalEngine local && random.nextInt(SELDOM) == 0) {
            thread.execute(() -> probe(local, reader, post));
        }
    }

    private void probe(LocalEngine engine, String reader, Post post) {
        try {
            FeedPage<Post> page = engine.feed().read(reader, PageRequest.first(LocalEngine.PAGE));
            long end = System.nanoTime();
            List<Post> items = page.items();
            boolean below = items.size() == LocalEngine.PAGE
                    && OracleFeed.NEWEST_FIRST.compare(items.get(items.size() - 1), post) < 0;
            if (!items.contains(post) && !below && mustShow(reader, post, end)) {
                violations.add(
                        "the page of " + reader + " on " + engine.name() + " lacks " + post + ", which had arrived");
            }
        } catch (FeedKitException e) {
            // The store is down.
        }
    }

    private boolean mustShow(String reader, Post post, long end) {
        Entry entry = ledger.find(post.key()).orElseThrow();
        return entry.delete().filter(delete -> delete.beganBy(end)).isEmpty()
                && ledger.hasFollowedSince(
                        reader, post.author(), entry.publish().began());
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

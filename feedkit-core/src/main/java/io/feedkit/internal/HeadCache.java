package io.feedkit.internal;

import static java.util.Objects.requireNonNull;

import io.feedkit.Post;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The newest posts of pulled authors, at most {@code staleness} old: the one thing in a page that may be stale. An author's head is dropped when this
 * engine changes the author's outbox. Thread-safe.
 */
public final class HeadCache {

    /** How many posts a head holds: two pages of a usual size. */
    static final int POSTS = 50;

    /** The most heads that are worth fetching for one page; for more authors one merged page of their outboxes is cheaper. */
    static final int MOST_AT_ONCE = 1000;

    /** The most heads kept: pulled authors are few by nature. */
    private static final int MAX_HEADS = 20_000;

    /** A head, and down to where it is complete. */
    record Head(List<Post> posts, Position reach, long at) {}

    private final Outbox outbox;
    private final Clock clock;
    private final long stalenessMillis;
    private final Map<String, Head> heads = new ConcurrentHashMap<>();
    private final AtomicIntegerArray drops = new AtomicIntegerArray(1 << 12);

    public HeadCache(Outbox outbox, Settings settings) {
        this.outbox = outbox;
        this.clock = settings.clock();
        // A deleted post is hidden for a lease at least. A head from before its delete must not outlive that,
        // not even if the clock is set back by half a lease.
        this.stalenessMillis = Math.min(
                settings.staleness().toMillis(), settings.fanout().lease().toMillis() / 2);
    }

    /** The heads of all these authors; {@code calls} counts calls to the outbox. */
    Map<String, Head> get(Collection<String> authors, CallCount calls) {
        long now = clock.millis();
        Map<String, Head> found = new HashMap<>();
        List<String> missing = new ArrayList<>();
        for (String author : authors) {
            Head head = heads.get(author);
            if (head != null && now >= head.at() && now - head.at() < stalenessMillis) {
                found.put(author, head);
            } else {
                missing.add(author);
            }
        }
        if (!missing.isEmpty()) {
            found.putAll(load(missing, now, calls));
        }
        return found;
    }

    private Map<String, Head> load(List<String> authors, long now, CallCount calls) {
        calls.increment();
        Map<String, Integer> dropsBefore = new HashMap<>();
        authors.forEach(author -> dropsBefore.put(author, drops.get(slot(author))));
        List<List<Post>> loaded = outbox.newest(authors, PositionRange.ALL, POSTS + 1);
        if (heads.size() + loaded.size() > MAX_HEADS) {
            heads.clear();
        }
        Map<String, Head> result = new HashMap<>();
        for (int i = 0; i < authors.size(); i++) {
            result.put(authors.get(i), head(loaded.get(i), now));
        }
        result.forEach((author, head) -> keep(author, head, requireNonNull(dropsBefore.get(author))));
        return result;
    }

    /** One post more than a head holds says that there are more. */
    private static Head head(List<Post> newest, long now) {
        if (newest.size() <= POSTS) {
            return new Head(newest, Position.LOWEST, now);
        }
        List<Post> posts = newest.subList(0, POSTS);
        return new Head(posts, Position.of(posts.get(POSTS - 1)), now);
    }

    /** Keeps a head, unless it was dropped while it was being loaded: then it may be older than the change that dropped it. */
    private void keep(String author, Head head, int dropsBefore) {
        heads.compute(author, (key, kept) -> drops.get(slot(author)) == dropsBefore ? head : kept);
    }

    void drop(String author) {
        heads.compute(author, (key, kept) -> {
            drops.incrementAndGet(slot(author));
            return null;
        });
    }

    /** Authors share slots; a drop of another author costs a load at worst. */
    private int slot(String author) {
        return author.hashCode() & (drops.length() - 1);
    }
}

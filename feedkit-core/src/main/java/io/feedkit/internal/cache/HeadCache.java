package io.feedkit.internal.cache;

import io.feedkit.Post;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The newest posts of pulled authors, at most {@code staleness} old: the one thing in a page that may be stale. An author's head is dropped when this
 * engine changes the author's outbox. Heads that are too old, or dropped, are kept for what they say about whose are wanted. Thread-safe.
 */
public final class HeadCache {

    /** How many posts a head holds: a page of a usual size, and a few more. */
    static final int POSTS = 25;

    /** The most heads that are worth fetching for one page; for more authors one merged page of their outboxes is cheaper. */
    public static final int MOST_AT_ONCE = 1000;

    /** The most heads kept: pulled authors are few by nature. */
    static final int MAX_HEADS = 20_000;

    /** A head that no page wanted for so long is not expected to be wanted. */
    private static final int WANTED_MILLIS = 60_000;

    /**
     * A head.
     *
     * @param posts the newest posts, newest first
     * @param whole whether these are all that the author has
     * @param at when it was asked for
     * @param dropped whether the author's outbox was changed since: then it says only what was seen
     */
    public record Head(List<Post> posts, boolean whole, long at, boolean dropped) {

        private Head afterDrop() {
            return new Head(posts, whole, at, true);
        }

        /** Whether it is complete down to somewhere below a place. The last post is made only if it matters. */
        public boolean reachesBelow(Position place) {
            return whole || isBelow(place, 0) || isBelow(place, posts.size() - 1);
        }

        private boolean isBelow(Position place, int index) {
            return place.compareOf(posts.get(index)) < 0;
        }
    }

    private final Outbox outbox;
    private final Clock clock;
    private final long stalenessMillis;
    private final Map<String, Head> heads = new ConcurrentHashMap<>();
    private final AtomicIntegerArray drops = new AtomicIntegerArray(1 << 12);

    public HeadCache(Outbox outbox, EngineSettings settings) {
        this.outbox = outbox;
        this.clock = settings.clock();
        // A deleted post is hidden for a lease at least. A head from before its delete must not outlive that,
        // not even if the clock is set back by half a lease.
        this.stalenessMillis = Math.min(
                settings.staleness().toMillis(), settings.fanout().lease().toMillis() / 2);
    }

    /** Asks for those heads of these authors that are too old or dropped, but were wanted lately: a page may want them again. */
    public Expected expect(List<String> authors) {
        return expect(authors, Optional.empty());
    }

    /** The same for a page that has asked before, and for other authors, too. */
    public Expected expect(List<String> authors, Optional<Expected> before) {
        long now = clock.millis();
        List<String> wanted = new ArrayList<>();
        for (String author : authors.size() > MOST_AT_ONCE ? List.<String>of() : authors) {
            Head head = heads.get(author);
            if (head != null
                    && !isFresh(head, now)
                    && now - head.at() < WANTED_MILLIS
                    && before.filter(asked -> asked.isFor(author)).isEmpty()) {
                wanted.add(author);
            }
        }
        return new Expected(wanted, before);
    }

    /**
     * Where an author's unpushed posts begin for a page, at most, if they do: where the register says, or lower, if a fresh head says that the newest of them are gone, since the page
     * will look at nothing newer.
     */
    Optional<Position> begin(String author, Position registered, long now) {
        Head head = heads.get(author);
        if (head == null || !isFresh(head, now)) {
            return Optional.of(registered);
        }
        if (head.posts().isEmpty()) {
            return Optional.empty();
        }
        Post newest = head.posts().get(0);
        return Optional.of(registered.compareOf(newest) < 0 ? Position.of(newest) : registered);
    }

    /** The time by which heads are fresh or not. */
    long now() {
        return clock.millis();
    }

    /** The head of an author, if it is held, and neither too old nor dropped. */
    public Optional<Head> held(String author) {
        Head head = heads.get(author);
        return head == null || !isFresh(head, clock.millis()) ? Optional.empty() : Optional.of(head);
    }

    private boolean isFresh(Head head, long now) {
        return !head.dropped() && now >= head.at() && now - head.at() < stalenessMillis;
    }

    /** The heads of these authors, in their order, some of which were expected to be wanted; {@code calls} counts calls to the outbox. */
    public List<Head> get(List<String> authors, Expected expected, CallCount calls) {
        long now = clock.millis();
        @Nullable Head[] found = new Head[authors.size()];
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < found.length; i++) {
            String author = authors.get(i);
            Head head = heads.get(author);
            found[i] = head != null && isFresh(head, now) ? head : expected.take(author, calls);
            if (found[i] == null) {
                missing.add(author);
            }
        }
        if (!missing.isEmpty()) {
            Expected others = new Expected(missing, Optional.empty());
            for (int i = 0; i < found.length; i++) {
                if (found[i] == null) {
                    found[i] = others.take(authors.get(i), calls);
                }
            }
        }
        return List.of(found);
    }

    /** Heads that were asked for together; the answer is waited for when one is wanted. Not thread-safe. */
    public final class Expected {

        private final long at = clock.millis();
        private final Map<String, Integer> places = new HashMap<>();
        private final int[] dropsBefore;
        private final Supplier<List<List<Post>>> asked;
        private final Optional<Expected> before;
        private @Nullable List<List<Post>> answer;

        private Expected(List<String> authors, Optional<Expected> before) {
            this.before = before;
            dropsBefore = new int[authors.size()];
            for (int i = 0; i < authors.size(); i++) {
                places.put(authors.get(i), i);
                dropsBefore[i] = drops.get(slot(authors.get(i)));
            }
            asked = authors.isEmpty() ? List::of : outbox.newestLater(authors, PositionRange.ALL, POSTS + 1);
        }

        private boolean isFor(String author) {
            return places.containsKey(author);
        }

        /** The head of an author, if it was asked for; keeps it, too. What nobody wanted is not kept, and so not expected for ever. */
        private @Nullable Head take(String author, CallCount calls) {
            Integer place = places.get(author);
            if (place == null) {
                return before.isPresent() ? before.get().take(author, calls) : null;
            }
            if (answer == null) {
                calls.increment();
                answer = asked.get();
            }
            Head head = head(answer.get(place), at);
            keep(author, head, dropsBefore[place]);
            return head;
        }
    }

    /** One post more than a head holds says that there are more. */
    private static Head head(List<Post> newest, long at) {
        boolean whole = newest.size() <= POSTS;
        return new Head(whole ? newest : newest.subList(0, POSTS), whole, at, false);
    }

    /** Keeps a head, unless there is a newer one; as dropped, if it was while it was being loaded: then it may be older than the change that dropped it. */
    private void keep(String author, Head head, int dropsBefore) {
        if (heads.size() >= MAX_HEADS && !heads.containsKey(author)) {
            heads.clear();
        }
        heads.compute(author, (key, kept) -> {
            long now = clock.millis();
            boolean newer = kept != null && kept.at() > head.at() && kept.at() <= now;
            if (newer) {
                return kept;
            }
            return drops.get(slot(author)) == dropsBefore ? head : head.afterDrop();
        });
    }

    /** How many heads are kept. */
    int size() {
        return heads.size();
    }

    /** An author's head is not what it was. */
    public void drop(String author) {
        heads.compute(author, (key, kept) -> {
            drops.incrementAndGet(slot(author));
            return kept == null ? null : kept.afterDrop();
        });
    }

    /** An author is gone. */
    public void forget(String author) {
        drop(author);
        heads.remove(author);
    }

    /** Authors share slots; a drop of another author costs a load at worst. */
    private int slot(String author) {
        return author.hashCode() & (drops.length() - 1);
    }
}

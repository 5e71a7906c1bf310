package io.feedkit.counter;

import static java.util.Objects.requireNonNull;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Put;
import io.feedkit.spi.counter.CounterWrites.Replaced;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Counts the views of posts, once for each user and window. Thread-safe. */
public final class Views {

    /** Far longer than any window; {@code now} minus this does not overflow. */
    private static final Duration LONGEST = Duration.ofDays(100_000);

    private final CounterStore store;
    private final Posts posts;
    private final long windowMillis;
    private final Clock clock;

    private Views(CounterStore store, Duration window, Clock clock) {
        this.store = requireNonNull(store, "store");
        this.posts = new Posts(store, "views");
        if (Arguments.nonNull("window", window).isNegative() || window.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("window must be between 0 and " + LONGEST + ", but is " + window);
        }
        this.windowMillis = window.toMillis();
        this.clock = requireNonNull(clock, "clock");
    }

    /**
     * Views on a store.
     *
     * @param store where they are
     * @param window how long after a view that counted the next one of the same user counts; at most 100,000 days
     * @param clock tells the time of a view
     * @return the views
     * @throws IllegalArgumentException if the window is negative or longer than 100,000 days
     */
    public static Views of(CounterStore store, Duration window, Clock clock) {
        return new Views(store, window, clock);
    }

    private static Owner owner(String user) {
        return new Owner(Space.VIEWS, Ids.require("user", user));
    }

    /**
     * A user views a post. If the call fails half-way, the view may not count, and never counts twice. A view that
     * began before the post was dropped may not count either.
     *
     * @param user the user
     * @param post the post
     * @return whether the view counted
     */
    public boolean add(String user, String post) {
        Owner owner = owner(user);
        long incarnation = posts.incarnationNow(Ids.require("post", post));
        long now = clock.millis();
        OptionalLong put = store.put(List.of(new Put(
                                owner,
                                post,
                                Long.toString(incarnation),
                                OptionalLong.of(now),
                                new Replaced(OptionalLong.of(now - windowMillis)))
                        .writtenBehind()))
                .get(0);
        if (put.isPresent()) {
            store.add(List.of(new Add(posts.count(post, incarnation), 1, Optional.empty()).writtenBehind()));
        }
        return put.isPresent();
    }

    /**
     * Counts the views of posts, in one round trip.
     *
     * @param of the posts
     * @return for each post the count
     */
    public List<Long> counts(List<String> of) {
        return posts.counts(of);
    }

    /**
     * Drops the views of a post. Later views count from zero.
     *
     * @param post the post
     */
    public void drop(String post) {
        posts.drop(post);
    }

    /**
     * Forgets which posts a user has viewed; their counts stay. Idempotent.
     *
     * @param user the user
     */
    public void forget(String user) {
        store.forget(List.of(owner(user)));
    }
}

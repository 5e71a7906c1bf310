package io.feedkit.counter;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.counter.SeveralSteps;
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

/**
 * Counts the views of posts, once for each user and window. Thread-safe.
 *
 * @since 0.1.0
 */
public final class Views {

    /** Far longer than any window; {@code now} minus this does not overflow. */
    private static final Duration LONGEST = Duration.ofDays(100_000);

    private final CounterStore store;
    private final Posts posts;
    private final long windowMillis;
    private final Clock clock;

    private Views(CounterStore store, Duration window, Clock clock) {
        this.store = Arguments.nonNull("store", store);
        this.posts = new Posts(store, "views");
        if (Arguments.nonNull("window", window).isNegative() || window.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("window must be between 0 and " + LONGEST + ", but is " + window);
        }
        store.viewsKept().filter(kept -> window.compareTo(kept) > 0).ifPresent(kept -> {
            throw new IllegalArgumentException("window must be at most " + kept
                    + ", because the store keeps views for that time (viewsKept, idleKept), but is " + window);
        });
        this.windowMillis = window.toMillis();
        this.clock = Arguments.nonNull("clock", clock);
    }

    /**
     * Views on a store.
     *
     * @param store where the views are kept
     * @param window how long after a view that counted the next one of the same user counts; at most 100,000 days, and
     *     at most as long as the store keeps views: by default 30 days in SQL, and in Redis and in memory 30 days after
     *     the user's last one. In SQL, a view at the very end of such a window may count again if clocks differ
     * @param clock the clock of views. An earlier call may have recorded a view with a clock that was ahead. If that
     *     view is more than a window later than the present time, it does not keep a new view from counting
     * @return the views
     * @throws IllegalArgumentException if the window is negative, or longer than 100,000 days or than the store keeps
     *     views
     */
    public static Views of(CounterStore store, Duration window, Clock clock) {
        return new Views(store, window, clock);
    }

    private static Owner owner(String user) {
        return new Owner(Space.VIEWS, Ids.require("user", user));
    }

    /**
     * Records a user's view of a post. If the call fails half-way, with an {@link io.feedkit.OutcomeUnknownException},
     * the view may not count, and it never counts twice. A view that began before the post was forgotten may not count
     * either.
     *
     * @param user the user
     * @param post the post
     * @return whether the view counted
     */
    public boolean add(String user, String post) {
        Owner owner = owner(user);
        long incarnation = posts.incarnationNow(Ids.require("post", post));
        return SeveralSteps.call("views.add", store, steps -> add(steps, owner, post, incarnation));
    }

    private boolean add(CounterStore steps, Owner owner, String post, long incarnation) {
        long now = clock.millis();
        OptionalLong put = steps.put(List.of(new Put(
                                owner,
                                post,
                                Long.toString(incarnation),
                                OptionalLong.of(now),
                                new Replaced(
                                        OptionalLong.of(now - windowMillis), OptionalLong.of(now + windowMillis + 1)))
                        .writtenBehind()))
                .get(0);
        if (put.isPresent()) {
            steps.add(List.of(new Add(posts.count(post, incarnation), 1, Optional.empty()).writtenBehind()));
        }
        return put.isPresent();
    }

    /**
     * Counts the views of a post.
     *
     * @param post the post
     * @return the count
     */
    public long get(String post) {
        return get(List.of(Ids.require("post", post))).get(0);
    }

    /**
     * Counts the views of posts, in one round trip for each thousand posts.
     *
     * @param posts the posts
     * @return for each post the count
     */
    public List<Long> get(List<String> posts) {
        return this.posts.counts(posts);
    }

    /**
     * Deletes the views of a post. Later views count from zero.
     *
     * @param post the post
     */
    public void forgetPost(String post) {
        posts.forget(post);
    }

    /**
     * Deletes the record of the posts that a user has viewed; the counts of the posts stay. Idempotent.
     *
     * @param user the user
     */
    public void forget(String user) {
        store.forget(List.of(owner(user)));
    }
}

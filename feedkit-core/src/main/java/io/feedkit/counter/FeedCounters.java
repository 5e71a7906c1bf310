package io.feedkit.counter;

import io.feedkit.Beta;
import io.feedkit.PublishTransaction;
import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.counter.SeveralSteps;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.Badges;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.RedDots;
import io.feedkit.unread.UnreadCounter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * All kinds of counters on one store, with the same settings. Creating one is cheap. So code in a transaction of the
 * host creates the kind that it needs:
 *
 * <pre>{@code
 * counters.in(transaction).conversations().add("c-1", "alice");
 * }</pre>
 *
 * <p>Immutable, and thread-safe as far as the store is.
 *
 * @since 0.1.0
 */
@Beta
public final class FeedCounters {

    private final CounterStore store;
    private final Clock clock;
    private final int newestKept;
    private final Counters plain;

    private FeedCounters(CounterStore store, Clock clock, int newestKept) {
        this.store = Arguments.nonNull("store", store);
        this.clock = Arguments.nonNull("clock", clock);
        this.newestKept = newestKept;
        this.plain = Counters.of(store);
    }

    /**
     * Counters on a store, by the system's clock.
     *
     * @param store where the numbers are kept
     * @return the counters
     */
    public static FeedCounters of(CounterStore store) {
        return of(store, Clock.systemUTC());
    }

    /**
     * Counters on a store.
     *
     * @param store where the numbers are kept
     * @param clock the clock for views and for the ends of announcements
     * @return the counters
     */
    public static FeedCounters of(CounterStore store, Clock clock) {
        return new FeedCounters(store, clock, Reactions.DEFAULT_NEWEST_KEPT);
    }

    /**
     * The same counters, whose reactions have another bound for the newest users of a post; see
     * {@link Reactions#keepingNewest}.
     *
     * @param newest how many users, {@value Reactions#DEFAULT_NEWEST_KEPT} unless set; at most
     *     {@value Reactions#MAX_NEWEST}
     * @return the counters
     * @throws IllegalArgumentException if the number is out of range
     */
    public FeedCounters keepingNewest(int newest) {
        return new FeedCounters(store, clock, Arguments.between("newest", newest, 0, Reactions.MAX_NEWEST));
    }

    /**
     * The same counters on another store, usually one that takes part in a transaction of the host.
     *
     * @param store where the numbers are kept, for example the result of {@code JdbcCounterStore.in(transaction)}
     * @return the counters
     */
    public FeedCounters in(CounterStore store) {
        return new FeedCounters(store, clock, newestKept);
    }

    /**
     * The same counters in a transaction of the host: changes take effect when the host commits.
     *
     * @param transaction the host's transaction, of a kind that the store can join
     * @return counters for the thread and the duration of the transaction
     * @throws IllegalArgumentException if the store cannot join a transaction of this kind
     */
    public FeedCounters in(PublishTransaction transaction) {
        return in(store.joining(Arguments.nonNull("transaction", transaction)));
    }

    /**
     * Unread counts by type.
     *
     * @return the counts
     */
    public UnreadCounter unread() {
        return UnreadCounter.of(store);
    }

    /**
     * Unread messages of conversations.
     *
     * @return the conversations
     */
    public Conversations conversations() {
        return Conversations.of(store);
    }

    /**
     * Announcements to all users, or to segments of them.
     *
     * @return the announcements
     */
    public Announcements announcements() {
        return Announcements.of(store, clock);
    }

    /**
     * Red dots of parts of an application.
     *
     * @return the dots
     */
    public RedDots redDots() {
        return RedDots.of(store);
    }

    /**
     * All unread counts of a user at once.
     *
     * @return the badges
     */
    public Badges badges() {
        return Badges.of(store, clock);
    }

    /**
     * Plain counters. All calls return the same object, so that threads share what {@link Counters#getOrLoad} loads.
     *
     * @return the counters
     */
    public Counters plain() {
        return plain;
    }

    /**
     * Likes of posts.
     *
     * @return the likes
     */
    public Reactions likes() {
        return Reactions.of(store).keepingNewest(newestKept);
    }

    /**
     * Reactions of one kind to posts.
     *
     * @param kind the kind, as {@link Reactions#of(CounterStore, String)} takes it
     * @return the reactions
     * @throws IllegalArgumentException if the kind is not legal
     */
    public Reactions reactions(String kind) {
        return Reactions.of(store, kind).keepingNewest(newestKept);
    }

    /**
     * Choices of one kind, of which a user has at most one for a post.
     *
     * @param kind the kind, as {@link ExclusiveReactions#of} takes it
     * @return the choices
     * @throws IllegalArgumentException if the kind is not legal
     */
    public ExclusiveReactions exclusiveReactions(String kind) {
        return ExclusiveReactions.of(store, kind).keepingNewest(newestKept);
    }

    /**
     * Views of posts.
     *
     * @param window as {@link Views#of} takes it
     * @return the views
     * @throws IllegalArgumentException as {@link Views#of} does
     */
    public Views views(Duration window) {
        return Views.of(store, window, clock);
    }

    /**
     * Deletes a user's data from the counters of all kinds. This removes the user's typed counters, memberships of
     * conversations, marks of announcements and dots, and dots that were shown to this user alone. It takes back
     * reactions of all kinds, so the counts of the posts fall. It removes the user's views, but the posts keep their
     * counts. Data that the user adds meanwhile may stay. Plain counters stay: only the host knows which of them belong
     * to a user. The ids of operations stay until they expire. Idempotent: repeat a call that failed, also with an
     * {@link io.feedkit.OutcomeUnknownException}.
     *
     * @param user the user
     * @throws IllegalArgumentException if the user's id is not legal
     */
    public void forget(String user) {
        Ids.require("user", user);
        SeveralSteps.run("feedCounters.forget", store, steps -> {
            UnreadCounter.of(steps).forget(user);
            Conversations.of(steps).forget(user);
            Announcements.of(steps).forget(user);
            RedDots.of(steps).forget(user);
            Reactions.forgetAll(steps, user);
            steps.forget(List.of(new Owner(Space.VIEWS, user)));
        });
    }

    @Override
    public String toString() {
        return "FeedCounters[" + store + "]";
    }
}

package io.feedkit.counter;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.counter.SeveralSteps;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.ReactionLabel;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One kind of reaction to posts, such as a like: who reacted, and how many users did. Idempotent; thread-safe.
 *
 * <p>A reaction is kept with its user for as long as it counts. It has a ticket that the post opened for it, and a flag
 * that is set while the post's count is not yet changed. A ticket changes the count once, even if several calls redeem
 * it. So a call that failed half-way is finished by the next call of this user for this post. A post keeps one count,
 * and the users who reacted last up to a bound. So its data does not grow with its reactions.
 *
 * <p>A call for up to 500 reactions takes as many round trips as one for a single reaction.
 *
 * @since 0.1.0
 */
public final class Reactions {

    /** The kind that {@link #of(CounterStore)} counts. */
    public static final String LIKE = "like";

    /** How many of the newest users of a post are kept by default. */
    public static final int DEFAULT_NEWEST_KEPT = 1000;

    /** The highest bound for the newest users of a post. */
    public static final int MAX_NEWEST = 10_000;

    /** The most posts of a page. */
    public static final int MAX_PAGE = 1000;

    private static final Predicate<ReactionLabel> ON = ReactionLabel::isOn;

    private final ReactionTurns turns;

    private Reactions(ReactionTurns turns) {
        this.turns = turns;
    }

    /**
     * Likes on a store.
     *
     * @param store where the reactions are kept
     * @return the likes
     */
    public static Reactions of(CounterStore store) {
        return of(store, LIKE);
    }

    /**
     * Reactions of one kind on a store.
     *
     * @param store where the reactions are kept
     * @param kind the kind, 1 to 15 of {@code a-z}, {@code 0-9}, {@code _} and {@code -}
     * @return the reactions
     * @throws IllegalArgumentException if the kind is not legal
     */
    public static Reactions of(CounterStore store, String kind) {
        return new Reactions(ReactionTurns.of(store, kind, DEFAULT_NEWEST_KEPT));
    }

    /**
     * The same reactions, with another bound for the newest users of a post. All nodes should use the same bound. With
     * a lower one, older users drop out of a post's list at one of the next reactions to it; with a higher one, lists
     * grow again. A store may keep an eighth more.
     *
     * @param newest how many users, {@value #DEFAULT_NEWEST_KEPT} unless set; at most {@value #MAX_NEWEST}; {@code 0}
     *     for none, which saves memory
     * @return the reactions
     * @throws IllegalArgumentException if the number is out of range
     */
    public Reactions keepingNewest(int newest) {
        return new Reactions(turns.keeping(Arguments.between("newest", newest, 0, MAX_NEWEST)));
    }

    /**
     * A user's reaction to a post.
     *
     * @param user the user
     * @param post the post
     */
    public record Reaction(String user, String post) {
        /** Refuses null. */
        public Reaction {
            Arguments.nonNull("user", user);
            Arguments.nonNull("post", post);
        }
    }

    /**
     * Records a user's reaction to a post. Idempotent. A call that failed half-way is finished by the next call of this
     * user for this post, within a day.
     *
     * @param user the user
     * @param post the post
     * @return whether this call changed the post's count: of several calls for one new reaction, also concurrent ones,
     *     only one returns true. It may also return true if the post is forgotten at the same time
     * @throws IllegalArgumentException if an id is not legal
     * @throws OutcomeUnknownException if the store failed after the first change, if its answer was lost, or if other
     *     calls changed the reaction 1000 times meanwhile. Repeating the call finishes it. The repeated call returns
     *     true if the failed call did not change the count
     */
    public boolean add(String user, String post) {
        return !add(List.of(new Reaction(user, post))).isEmpty();
    }

    /**
     * Records users' reactions to posts, each as by {@link #add(String, String)}. Also use this to import reactions,
     * the oldest first.
     *
     * @param reactions the reactions
     * @return those for which this call changed the post's count
     */
    public Set<Reaction> add(Collection<Reaction> reactions) {
        return turns.turn(ReactionTurns.all(reactions, ReactionTurns.to("")), ON);
    }

    /**
     * Takes a user's reaction to a post back. Idempotent, as {@link #add(String, String)}.
     *
     * @param user the user
     * @param post the post
     * @return whether this call changed the post's count, as {@link #add(String, String)}
     */
    public boolean remove(String user, String post) {
        return !remove(List.of(new Reaction(user, post))).isEmpty();
    }

    /**
     * Takes users' reactions back, each as by {@link #remove(String, String)}.
     *
     * @param reactions the reactions
     * @return those for which this call changed the post's count
     */
    public Set<Reaction> remove(Collection<Reaction> reactions) {
        return turns.turn(ReactionTurns.all(reactions, ReactionTurns.removal()), ON.negate());
    }

    /**
     * Counts the reactions to a post.
     *
     * @param post the post
     * @return the count
     */
    public long get(String post) {
        return get(List.of(Ids.require("post", post))).get(0);
    }

    /**
     * Counts the reactions to posts.
     *
     * @param posts the posts
     * @return for each post the count
     */
    public List<Long> get(List<String> posts) {
        return turns.posts().counts(posts);
    }

    /**
     * Returns to which of some posts a user has reacted, in one round trip for each thousand posts.
     *
     * @param user the user
     * @param among the posts
     * @return the posts the user has reacted to
     */
    public Set<String> reacted(String user, List<String> among) {
        return turns.chosen(user, among).keySet();
    }

    /**
     * A page of the posts a user has reacted to.
     *
     * @param posts the posts, the newest reaction first. A page may have fewer posts than the limit, because forgotten
     *     posts are left out
     * @param older the argument of {@link Reactions#posts(String, long, int)} for the next page; empty at the end
     */
    public record Page(List<String> posts, OptionalLong older) {
        /** Copies the list. */
        public Page {
            Arguments.nonNull("older", older);
            posts = List.copyOf(Arguments.nonNull("posts", posts));
        }
    }

    /**
     * Reads the first page of the posts a user has reacted to, the newest reaction first, in two round trips. A walk
     * through the pages shows each post once, whatever is added or taken back meanwhile. Reactions of one process are
     * in the order in which its calls reached the store. Reactions of several processes are in the order of the
     * processes' clocks.
     *
     * @param user the user
     * @param limit the most posts of the page, 1 to {@value #MAX_PAGE}
     * @return the page
     */
    public Page posts(String user, int limit) {
        return turns.page(user, OptionalLong.empty(), limit);
    }

    /**
     * Reads the next page of the posts a user has reacted to.
     *
     * @param user the user
     * @param older {@link Page#older} of the page before
     * @param limit the most posts of the page, 1 to {@value #MAX_PAGE}
     * @return the page
     */
    public Page posts(String user, long older, int limit) {
        return turns.page(user, OptionalLong.of(older), limit);
    }

    /**
     * The newest users who reacted to a post.
     *
     * @param users the users, the newest first
     * @param complete whether these are all users who reacted; false if there are, or may be, older ones
     */
    public record Newest(List<String> users, boolean complete) {
        /** Copies the list. */
        public Newest {
            users = List.copyOf(Arguments.nonNull("users", users));
        }
    }

    /**
     * Reads the newest users who reacted to a post, in two round trips; three for a post that was forgotten before. A
     * post keeps {@linkplain #keepingNewest a number of them}. A user who took the reaction back is not among them, and
     * no older user takes the empty place.
     *
     * @param post the post
     * @param limit the most users, 1 to {@value #MAX_NEWEST}
     * @return the users
     */
    public Newest newest(String post, int limit) {
        return turns.newest(post, "", limit);
    }

    /**
     * Deletes all reactions to a post, in one step for any number of reactions. Later reactions count from zero.
     *
     * @param post the post
     */
    public void forgetPost(String post) {
        turns.posts().forget(post);
    }

    /**
     * Takes back all of a user's reactions of this kind. Reactions that the user adds meanwhile stay. Idempotent.
     *
     * @param user the user
     */
    public void forget(String user) {
        turns.forget(user);
    }

    /**
     * A count of reactions that was wrong, and was repaired.
     *
     * @param kind the kind of the reactions
     * @param choice the choice of {@link ExclusiveReactions}; {@code ""} without choices
     * @param post the post
     * @param was the wrong count
     * @param is how many users have reacted
     */
    public record Repair(String kind, String choice, String post, long was, long is) {
        /** Refuses null. */
        public Repair {
            Arguments.nonNull("kind", kind);
            Arguments.nonNull("choice", choice);
            Arguments.nonNull("post", post);
        }

        /**
         * The repair of a count. For stores.
         *
         * @param key the count of a kind and a choice in an incarnation of the post
         * @param was the wrong count
         * @param is how many users have reacted
         * @return the repair
         */
        public static Repair of(CellKey key, long was, long is) {
            String[] parts = Arguments.nonNull("key", key).name().substring(1).split("/", -1);
            return new Repair(
                    parts[0], parts.length > 2 ? parts[2] : "", key.owner().id(), was, is);
        }
    }

    /** Takes back all of a user's reactions of all kinds. */
    static void forgetAll(CounterStore store, String user) {
        SeveralSteps.run(
                "reactions.forgetAll",
                store,
                steps -> steps.members(ReactionTurns.owner(Ids.require("user", user))).stream()
                        .map(member -> member.name().substring(0, member.name().indexOf('/')))
                        .distinct()
                        .forEach(kind ->
                                ReactionTurns.of(steps, kind, MAX_NEWEST).forget(user)));
    }
}

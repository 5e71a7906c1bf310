package io.feedkit.counter;

import io.feedkit.Beta;
import io.feedkit.counter.Reactions.Newest;
import io.feedkit.counter.Reactions.Page;
import io.feedkit.counter.Reactions.Reaction;
import io.feedkit.internal.check.Arguments;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.ReactionLabel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reactions with choices of which a user has at most one for a post, such as a vote up or down. A change from one
 * choice to another is one step: both counts of the post change together, and no reader sees both choices or none.
 * Otherwise as {@link Reactions}. Idempotent; thread-safe.
 *
 * <p>A choice is 1 to 15 of {@code a-z}, {@code 0-9}, {@code _} and {@code -}. Choices need no setup.
 *
 * @since 0.1.0
 */
@Beta
public final class ExclusiveReactions {

    private final ReactionTurns turns;

    private ExclusiveReactions(ReactionTurns turns) {
        this.turns = turns;
    }

    /**
     * Exclusive reactions of one kind on a store.
     *
     * @param store where the reactions are kept
     * @param kind the kind, 1 to 15 of {@code a-z}, {@code 0-9}, {@code _} and {@code -}; no kind that is also used
     *     with {@link Reactions}
     * @return the reactions
     * @throws IllegalArgumentException if the kind is not legal
     */
    public static ExclusiveReactions of(CounterStore store, String kind) {
        return new ExclusiveReactions(ReactionTurns.of(store, kind, Reactions.DEFAULT_NEWEST_KEPT));
    }

    /**
     * The same reactions, with another bound for the newest users of each choice of a post, as
     * {@link Reactions#keepingNewest}.
     *
     * @param newest how many users, 0 to {@value Reactions#MAX_NEWEST}
     * @return the reactions
     */
    public ExclusiveReactions keepingNewest(int newest) {
        return new ExclusiveReactions(turns.keeping(Arguments.between("newest", newest, 0, Reactions.MAX_NEWEST)));
    }

    /**
     * Records a user's choice for a post, which replaces an earlier choice. A call that failed half-way is finished by
     * the next call of this user for this post, within a day.
     *
     * @param user the user
     * @param post the post
     * @param choice the choice
     * @return whether this call changed the post's counts, as {@link Reactions#add(String, String)}
     * @throws IllegalArgumentException if an argument is not legal
     * @throws io.feedkit.OutcomeUnknownException as {@link Reactions#add(String, String)}
     */
    public boolean choose(String user, String post, String choice) {
        return !choose(Map.of(new Reaction(user, post), Arguments.nonNull("choice", choice)))
                .isEmpty();
    }

    /**
     * Records users' choices for posts, each as by {@link #choose(String, String, String)}.
     *
     * @param choices the choice of each user for each post
     * @return those for which this call changed the post's counts
     */
    public Set<Reaction> choose(Map<Reaction, String> choices) {
        Map<Reaction, ReactionTurns.Change> changes = new LinkedHashMap<>();
        Arguments.nonNull("choices", choices)
                .forEach((reaction, choice) -> changes.put(
                        ReactionTurns.require(reaction),
                        ReactionTurns.to(ReactionTurns.requireWord("choice", choice))));
        return turns.turn(changes, ReactionLabel::isOn);
    }

    /**
     * Takes a user's choice for a post back, whatever the choice is.
     *
     * @param user the user
     * @param post the post
     * @return whether this call changed the post's counts, as {@link Reactions#add(String, String)}
     */
    public boolean remove(String user, String post) {
        return !turns.turn(
                        ReactionTurns.all(List.of(new Reaction(user, post)), ReactionTurns.removal()),
                        label -> !label.isOn())
                .isEmpty();
    }

    /**
     * Counts the choices for posts.
     *
     * @param posts the posts
     * @return for each post the counts by choice; choices without users are left out
     */
    public List<Map<String, Long>> get(List<String> posts) {
        return turns.posts().choices(posts).stream().map(Map::copyOf).toList();
    }

    /**
     * Returns a user's choices for some posts, in one round trip for each thousand posts.
     *
     * @param user the user
     * @param among the posts
     * @return the choices by post; posts without one are left out
     */
    public Map<String, String> chosen(String user, List<String> among) {
        return turns.chosen(user, among);
    }

    /**
     * Reads the first page of the posts a user has made a choice for, as {@link Reactions#posts(String, int)}. A
     * changed choice is as new as its last change, so a walk may miss a post whose choice changes meanwhile.
     *
     * @param user the user
     * @param limit the most posts of the page, 1 to {@value Reactions#MAX_PAGE}
     * @return the page
     */
    public Page posts(String user, int limit) {
        return turns.page(user, OptionalLong.empty(), limit);
    }

    /**
     * Reads the next page of the posts a user has made a choice for.
     *
     * @param user the user
     * @param older {@link Page#older} of the page before
     * @param limit the most posts of the page, 1 to {@value Reactions#MAX_PAGE}
     * @return the page
     */
    public Page posts(String user, long older, int limit) {
        return turns.page(user, OptionalLong.of(older), limit);
    }

    /**
     * Reads the newest users who made a choice for a post, as {@link Reactions#newest}.
     *
     * @param post the post
     * @param choice the choice
     * @param limit the most users, 1 to {@value Reactions#MAX_NEWEST}
     * @return the users
     */
    public Newest newest(String post, String choice, int limit) {
        return turns.newest(post, ReactionTurns.requireWord("choice", choice), limit);
    }

    /**
     * Deletes all choices for a post. Later choices count from zero.
     *
     * @param post the post
     */
    public void forgetPost(String post) {
        turns.posts().forget(post);
    }

    /**
     * Takes back all of a user's choices of this kind. Choices that the user makes meanwhile stay. Idempotent.
     *
     * @param user the user
     */
    public void forget(String user) {
        turns.forget(user);
    }
}

package io.feedkit.counter;

import static java.util.Objects.requireNonNull;

import io.feedkit.spi.CounterStore;
import io.feedkit.spi.CounterStore.Member;
import io.feedkit.spi.CounterStore.Owner;
import io.feedkit.spi.CounterStore.Space;
import io.feedkit.spi.CounterStore.Turn;
import io.feedkit.spi.Ids;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One reaction to posts, such as a like: who reacted, and how many. Idempotent; thread-safe.
 *
 * <p>A reaction is kept with its user, with a ticket that its post opened for it, and says whether the post's count has still to follow. A ticket changes the count once, whoever
 * redeems it how often. So a call that failed half-way is finished by the next one of this user for this post, and nothing grows with a post's reactions but one number.
 */
public final class Reactions {

    private static final String ON = "+";
    private static final String OFF = "-";

    private final CounterStore store;
    private final Posts posts;

    private Reactions(CounterStore store) {
        this.store = requireNonNull(store, "store");
        this.posts = new Posts(store, "reactions");
    }

    /**
     * Reactions on a store.
     *
     * @param store where they are
     * @return the reactions
     */
    public static Reactions of(CounterStore store) {
        return new Reactions(store);
    }

    private static Owner owner(String user) {
        return new Owner(Space.REACTIONS, Ids.require("user", user));
    }

    /**
     * A user reacts to a post. Idempotent. A call that failed half-way is finished by the next call of this user for this post, within a day.
     *
     * @param user who
     * @param post to what
     */
    public void add(String user, String post) {
        while (true) {
            Optional<Member> member = settled(user, post);
            long incarnation = posts.incarnation(post);
            if (member.isPresent() && incarnation(member.get()) >= incarnation) {
                return;
            }
            if (turn(user, post, member.map(Member::label), incarnation + ON)) {
                return;
            }
        }
    }

    /**
     * A user takes a reaction back. Idempotent, as {@link #add}.
     *
     * @param user who
     * @param post from what
     */
    public void remove(String user, String post) {
        while (true) {
            Optional<Member> member = settled(user, post);
            if (member.isEmpty()) {
                return;
            }
            if (turn(user, post, member.map(Member::label), incarnation(member.get()) + OFF)) {
                return;
            }
        }
    }

    /** What the user's reaction is when nothing of it has still to follow. */
    private Optional<Member> settled(String user, String post) {
        Owner owner = owner(user);
        while (true) {
            Member member =
                    store.membersOf(owner, List.of(Ids.require("post", post))).get(post);
            if (member == null || member.settled()) {
                return Optional.ofNullable(member);
            }
            settle(owner, member);
        }
    }

    /** Turns a reaction, and lets the count follow. False if it is another one meanwhile. */
    private boolean turn(String user, String post, Optional<String> from, String to) {
        Owner owner = owner(user);
        long ticket = store.openTickets(List.of(Posts.owner(post))).get(0);
        Optional<Member> member =
                store.turn(List.of(new Turn(owner, post, from, to, ticket))).get(0);
        if (member.isPresent() && member.get().number() == ticket) {
            settle(owner, member.get());
            return true;
        }
        posts.discard(post, ticket);
        return false;
    }

    /** Lets the count follow a turn. */
    private void settle(Owner owner, Member turned) {
        boolean on = turned.label().endsWith(ON);
        store.redeem(posts.count(turned.name(), incarnation(turned)), turned.number(), on ? 1 : -1);
        store.settle(owner, turned, !on);
    }

    private static long incarnation(Member member) {
        String label = member.label();
        return Long.parseLong(label.substring(0, label.length() - 1));
    }

    /**
     * Counts the reactions to posts.
     *
     * @param of which posts
     * @return for each the count
     */
    public List<Long> counts(List<String> of) {
        return posts.counts(of);
    }

    /**
     * Says to which of some posts a user has reacted.
     *
     * @param user who
     * @param among which posts
     * @return those the user has reacted to
     */
    public Set<String> reacted(String user, List<String> among) {
        Map<String, Member> members = store.membersOf(owner(user), among);
        List<Long> incarnations = posts.incarnations(among);
        Set<String> reacted = new HashSet<>();
        for (int i = 0; i < among.size(); i++) {
            Member member = members.get(among.get(i));
            if (member != null && member.label().equals(incarnations.get(i) + ON)) {
                reacted.add(among.get(i));
            }
        }
        return reacted;
    }

    /**
     * Drops all reactions to a post, in one step however many they are; later ones count anew.
     *
     * @param post the post
     */
    public void drop(String post) {
        posts.drop(post);
    }

    /**
     * Takes all reactions of a user back, one after the other; what the user reacts to meanwhile stays. Idempotent.
     *
     * @param user who
     */
    public void forget(String user) {
        Owner owner = owner(user);
        for (Member member : store.members(List.of(owner)).get(0)) {
            remove(user, member.name());
        }
    }
}

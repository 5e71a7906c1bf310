package io.feedkit.counter;

import static java.util.Objects.requireNonNull;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.spi.counter.CounterReads.Found;
import io.feedkit.spi.counter.CounterReads.Lookup;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Redemption;
import io.feedkit.spi.counter.CounterWrites.Settlement;
import io.feedkit.spi.counter.CounterWrites.Turn;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/**
 * One kind of reaction to posts, such as a like: who reacted, and how many users did. Idempotent; thread-safe.
 *
 * <p>A reaction is kept with its user. It has a ticket that the post opened for it, and a flag that is set while the
 * post's count is not yet changed. A ticket changes the count once, even if several calls redeem it. So a call that
 * failed half-way is finished by the next call of this user for this post. Of a post, only one number grows with its
 * reactions.
 */
public final class Reactions {

    private static final String ON = "+";
    private static final String OFF = "-";

    /** How many reactions are turned together. */
    private static final int AT_ONCE = 500;

    /** How often a turn is tried while others change the reaction. */
    private static final int ROUNDS = 1000;

    /** The kind that {@link #of(CounterStore)} counts. */
    public static final String LIKE = "like";

    private static final Pattern KIND = Pattern.compile("[a-z0-9_-]{1,15}");

    private final CounterStore store;
    /** The prefix of a post's name in a user's set. Kinds have no slash, so the first slash ends the kind. */
    private final String prefix;

    private final Posts posts;

    private Reactions(CounterStore store, String kind) {
        this.store = requireNonNull(store, "store");
        if (!KIND.matcher(Arguments.nonNull("kind", kind)).matches()) {
            throw new IllegalArgumentException(
                    "kind must be 1 to 15 of a-z, 0-9, _ and -, but is " + Ids.printable(kind));
        }
        this.prefix = kind + "/";
        // No kind has this sign, so the counts of reactions are kept apart from other counts.
        this.posts = new Posts(store, "+" + kind);
    }

    /**
     * Likes on a store.
     *
     * @param store where they are
     * @return the likes
     */
    public static Reactions of(CounterStore store) {
        return of(store, LIKE);
    }

    /**
     * Reactions of one kind on a store.
     *
     * @param store where they are
     * @param kind the kind, 1 to 15 of {@code a-z}, {@code 0-9}, {@code _} and {@code -}
     * @return the reactions
     * @throws IllegalArgumentException if the kind is not legal
     */
    public static Reactions of(CounterStore store, String kind) {
        return new Reactions(store, kind);
    }

    /**
     * A user's reaction to a post.
     *
     * @param user the user
     * @param post the post
     */
    public record Reaction(String user, String post) {}

    private static Owner owner(String user) {
        return new Owner(Space.REACTIONS, Ids.require("user", user));
    }

    private String name(String post) {
        return prefix + Ids.require("post", post);
    }

    private String post(Member member) {
        return member.name().substring(prefix.length());
    }

    /**
     * A user reacts to a post. Idempotent. A call that failed half-way is finished by the next call of this user for
     * this post, within a day.
     *
     * @param user the user
     * @param post the post
     * @throws IllegalArgumentException if an id is not legal
     * @throws OutcomeUnknownException if the store's answer was lost, or if others changed the reaction 1000 times
     *     meanwhile; a repeated call is safe
     */
    public void add(String user, String post) {
        add(List.of(new Reaction(user, post)));
    }

    /**
     * Users react to posts, each as by {@link #add(String, String)}. Five hundred reactions take as many round trips as
     * one. Use this also to import reactions from elsewhere.
     *
     * @param reactions the reactions
     */
    public void add(Collection<Reaction> reactions) {
        turn(
                reactions,
                (member, incarnation) -> member.isPresent() && incarnation(member.get()) >= incarnation
                        ? Optional.empty()
                        : Optional.of(incarnation + ON));
    }

    /**
     * A user takes a reaction back. Idempotent, as {@link #add(String, String)}.
     *
     * @param user the user
     * @param post the post
     */
    public void remove(String user, String post) {
        remove(List.of(new Reaction(user, post)));
    }

    /**
     * Users take reactions back, each as by {@link #remove(String, String)}. Five hundred reactions take as many round
     * trips as one.
     *
     * @param reactions the reactions
     */
    public void remove(Collection<Reaction> reactions) {
        turn(reactions, (member, incarnation) -> member.map(there -> incarnation(there) + OFF));
    }

    /**
     * Turns reactions until each has its new state. {@code label} gives the new label of a settled reaction, or empty
     * if the reaction stays as it is.
     */
    private void turn(Collection<Reaction> reactions, BiFunction<Optional<Member>, Long, Optional<String>> label) {
        List<Reaction> all =
                Arguments.nonNull("reactions", reactions).stream().distinct().toList();
        // Illegal ids are refused before anything is done.
        for (Reaction each : all) {
            Arguments.nonNull("reaction", each);
            Ids.require("user", each.user());
            Ids.require("post", each.post());
        }
        for (int from = 0; from < all.size(); from += AT_ONCE) {
            turnSome(all.subList(from, Math.min(all.size(), from + AT_ONCE)), label);
        }
    }

    /**
     * Reads once. The answer of each turn tells what others did meanwhile, because a snapshot of the host's transaction
     * never shows it.
     */
    private void turnSome(List<Reaction> some, BiFunction<Optional<Member>, Long, Optional<String>> label) {
        Found found = store.read(Wanted.NOTHING
                .withLookups(some.stream()
                        .map(each -> new Lookup(owner(each.user()), List.of(name(each.post()))))
                        .toList())
                .withCellsOf(
                        posts.incarnations(some.stream().map(Reaction::post).toList())));
        Map<Reaction, Long> incarnations = new HashMap<>();
        Map<Reaction, Optional<Member>> left = new LinkedHashMap<>();
        for (int i = 0; i < some.size(); i++) {
            Reaction each = some.get(i);
            incarnations.put(each, found.cellsOf().get(i).count());
            left.put(each, Optional.ofNullable(found.lookups().get(i).get(name(each.post()))));
        }
        for (int round = 0; round < ROUNDS && !left.isEmpty(); round++) {
            settleAll(left);
            Map<Reaction, Turn> turns = new LinkedHashMap<>();
            left.forEach((each, member) -> label.apply(member, requireNonNull(incarnations.get(each)))
                    .ifPresent(to -> turns.put(
                            each, new Turn(owner(each.user()), name(each.post()), member.map(Member::label), to, 0))));
            left.keySet().retainAll(turns.keySet());
            turn(turns, left);
        }
        if (!left.isEmpty()) {
            throw new OutcomeUnknownException(
                    "reactions.turn",
                    new IllegalStateException(
                            "others changed " + left.keySet().iterator().next() + " " + ROUNDS + " times meanwhile"));
        }
    }

    /** Finishes the turns of reactions that others left half-done. */
    private void settleAll(Map<Reaction, Optional<Member>> reactions) {
        List<Settlement> unsettled = new ArrayList<>();
        reactions.replaceAll((each, member) -> {
            if (member.isEmpty() || member.get().settled()) {
                return member;
            }
            Member turned = member.get();
            unsettled.add(settlement(owner(each.user()), turned));
            return isOn(turned)
                    ? Optional.of(new Member(turned.name(), turned.label(), turned.number(), true))
                    : Optional.empty();
        });
        settle(unsettled);
    }

    /**
     * Turns reactions and changes the counts. Reactions that were turned are removed from {@code left}; for the others
     * it keeps their present states.
     */
    private void turn(Map<Reaction, Turn> wanted, Map<Reaction, Optional<Member>> left) {
        if (wanted.isEmpty()) {
            return;
        }
        List<Reaction> asked = List.copyOf(wanted.keySet());
        List<Long> tickets = store.openTickets(
                asked.stream().map(each -> Posts.owner(each.post())).toList());
        List<Turn> turns = new ArrayList<>(asked.size());
        for (Turn turn : wanted.values()) {
            turns.add(new Turn(turn.owner(), turn.member(), turn.from(), turn.to(), tickets.get(turns.size())));
        }
        List<Optional<Member>> members = store.turn(turns);
        List<Settlement> unsettled = new ArrayList<>();
        List<Redemption> discarded = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            Turn turn = turns.get(i);
            Optional<Member> member = members.get(i);
            if (member.isPresent() && member.get().number() == turn.ticket()) {
                unsettled.add(settlement(turn.owner(), member.get()));
                left.remove(asked.get(i));
            } else {
                discarded.add(new Redemption(posts.incarnation(asked.get(i).post()), turn.ticket(), 0));
                left.put(asked.get(i), member);
            }
        }
        if (!discarded.isEmpty()) {
            store.redeem(discarded);
        }
        settle(unsettled);
    }

    private static Settlement settlement(Owner owner, Member turned) {
        return new Settlement(owner, turned, !isOn(turned));
    }

    /** Changes the counts for turns, and settles the turns. */
    private void settle(List<Settlement> turns) {
        if (turns.isEmpty()) {
            return;
        }
        store.redeem(turns.stream()
                .map(Settlement::member)
                .map(member -> new Redemption(
                        posts.count(post(member), incarnation(member)), member.number(), isOn(member) ? 1 : -1))
                .toList());
        store.settle(turns);
    }

    private static boolean isOn(Member member) {
        return member.label().endsWith(ON);
    }

    private static long incarnation(Member member) {
        String label = member.label();
        return Long.parseLong(label.substring(0, label.length() - 1));
    }

    /**
     * Counts the reactions to posts, in one round trip.
     *
     * @param of the posts
     * @return for each post the count
     */
    public List<Long> counts(List<String> of) {
        return posts.counts(of);
    }

    /**
     * Returns to which of some posts a user has reacted, in one round trip.
     *
     * @param user the user
     * @param among the posts
     * @return the posts the user has reacted to
     */
    public Set<String> reacted(String user, List<String> among) {
        Lookup lookup = new Lookup(
                owner(user),
                Arguments.nonNull("among", among).stream().map(this::name).toList());
        Found found = store.read(Wanted.NOTHING.withLookups(List.of(lookup)).withCellsOf(posts.incarnations(among)));
        Set<String> reacted = new HashSet<>();
        for (int i = 0; i < among.size(); i++) {
            Member member = found.lookups().get(0).get(name(among.get(i)));
            long incarnation = found.cellsOf().get(i).count();
            if (member != null && member.label().equals(incarnation + ON)) {
                reacted.add(among.get(i));
            }
        }
        return reacted;
    }

    /**
     * Drops all reactions to a post, in one step for any number of reactions. Later reactions count from zero.
     *
     * @param post the post
     */
    public void drop(String post) {
        posts.drop(post);
    }

    /**
     * Takes back all of a user's reactions of this kind. Reactions that the user adds meanwhile stay. Idempotent.
     *
     * @param user the user
     */
    public void forget(String user) {
        remove(store.members(owner(user)).stream()
                .filter(member -> member.name().startsWith(prefix))
                .map(member -> new Reaction(user, post(member)))
                .toList());
    }

    /** Takes back all of a user's reactions of all kinds. */
    static void forgetAll(CounterStore store, String user) {
        store.members(owner(user)).stream()
                .map(member -> member.name().substring(0, member.name().indexOf('/')))
                .distinct()
                .forEach(kind -> of(store, kind).forget(user));
    }
}

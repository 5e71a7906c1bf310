package io.feedkit.counter;

import static java.util.Objects.requireNonNull;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.spi.Ids;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterStore.Found;
import io.feedkit.spi.counter.CounterStore.Lookup;
import io.feedkit.spi.counter.CounterStore.Member;
import io.feedkit.spi.counter.CounterStore.Owner;
import io.feedkit.spi.counter.CounterStore.Redemption;
import io.feedkit.spi.counter.CounterStore.Settlement;
import io.feedkit.spi.counter.CounterStore.Space;
import io.feedkit.spi.counter.CounterStore.Turn;
import io.feedkit.spi.counter.CounterStore.Wanted;
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
 * One kind of reaction to posts, such as a like: who reacted, and how many. Idempotent; thread-safe.
 *
 * <p>A reaction is kept with its user, with a ticket that its post opened for it, and says whether the post's count has
 * still to follow. A ticket changes the count once, whoever redeems it how often. So a call that failed half-way is
 * finished by the next one of this user for this post, and nothing grows with a post's reactions but one number.
 */
public final class Reactions {

    private static final String ON = "+";
    private static final String OFF = "-";

    /** Reactions that are turned together. */
    private static final int AT_ONCE = 500;

    /** How often a reaction is tried to be turned while others change it. */
    private static final int ROUNDS = 1000;

    /** What {@link #of(CounterStore)} counts. */
    public static final String LIKE = "like";

    private static final Pattern KIND = Pattern.compile("[a-z0-9_-]{1,15}");

    private final CounterStore store;
    /** Before the name of a post in a user's set; kinds have no slash, so it can be told where the post begins. */
    private final String prefix;

    private final Posts posts;

    private Reactions(CounterStore store, String kind) {
        this.store = requireNonNull(store, "store");
        if (!KIND.matcher(Arguments.nonNull("kind", kind)).matches()) {
            throw new IllegalArgumentException(
                    "kind must be 1 to 15 of a-z, 0-9, _ and -, but is " + Ids.printable(kind));
        }
        this.prefix = kind + "/";
        // A sign that no kind has keeps it apart from what is counted otherwise.
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
     * @throws IllegalArgumentException if the kind is none
     */
    public static Reactions of(CounterStore store, String kind) {
        return new Reactions(store, kind);
    }

    /**
     * Who reacts to what.
     *
     * @param user who
     * @param post to what
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
     * @param user who
     * @param post to what
     * @throws IllegalArgumentException if one of them is no id
     * @throws OutcomeUnknownException if the store lost its answer, or if others changed the reaction all the time; a
     *     repeated call is safe
     */
    public void add(String user, String post) {
        add(List.of(new Reaction(user, post)));
    }

    /**
     * Users react to posts; each as {@link #add(String, String)}, in as few round trips for five hundred as for one.
     * Also the way to bring in what was counted elsewhere.
     *
     * @param reactions who to what
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
     * @param user who
     * @param post from what
     */
    public void remove(String user, String post) {
        remove(List.of(new Reaction(user, post)));
    }

    /**
     * Users take reactions back; each as {@link #remove(String, String)}, in as few round trips for five hundred as for
     * one.
     *
     * @param reactions who from what
     */
    public void remove(Collection<Reaction> reactions) {
        turn(reactions, (member, incarnation) -> member.map(there -> incarnation(there) + OFF));
    }

    /**
     * Turns reactions until each is as it should be. Where nothing of a reaction has still to follow, the label says
     * what to turn it to, if to anything.
     */
    private void turn(Collection<Reaction> reactions, BiFunction<Optional<Member>, Long, Optional<String>> label) {
        List<Reaction> all =
                Arguments.nonNull("reactions", reactions).stream().distinct().toList();
        // What is no id is refused before anything is done.
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
     * Reads once. What others did meanwhile is told by each turn itself, since a snapshot of the host's transaction
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
     * Turns reactions, and lets the counts follow. Those that were turned are not left; for the others it keeps what
     * they are meanwhile.
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

    /** Lets the counts follow turns. */
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
     * @param of which posts
     * @return for each the count
     */
    public List<Long> counts(List<String> of) {
        return posts.counts(of);
    }

    /**
     * Says to which of some posts a user has reacted, in one round trip.
     *
     * @param user who
     * @param among which posts
     * @return those the user has reacted to
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
     * Drops all reactions to a post, in one step however many they are; later ones count anew.
     *
     * @param post the post
     */
    public void drop(String post) {
        posts.drop(post);
    }

    /**
     * Takes back all reactions of this kind that a user has; what the user reacts to meanwhile stays. Idempotent.
     *
     * @param user who
     */
    public void forget(String user) {
        remove(store.members(owner(user)).stream()
                .filter(member -> member.name().startsWith(prefix))
                .map(member -> new Reaction(user, post(member)))
                .toList());
    }

    /** Takes back all reactions of all kinds that a user has. */
    static void forgetAll(CounterStore store, String user) {
        store.members(owner(user)).stream()
                .map(member -> member.name().substring(0, member.name().indexOf('/')))
                .distinct()
                .forEach(kind -> of(store, kind).forget(user));
    }
}

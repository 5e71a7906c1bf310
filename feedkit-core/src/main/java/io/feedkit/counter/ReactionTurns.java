package io.feedkit.counter;

import static java.util.Objects.requireNonNull;

import io.feedkit.InvalidRequestException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.counter.Reactions.Reaction;
import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.counter.SeveralSteps;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterReads.Found;
import io.feedkit.spi.counter.CounterReads.Lookup;
import io.feedkit.spi.counter.CounterReads.Newest;
import io.feedkit.spi.counter.CounterReads.NewestOf;
import io.feedkit.spi.counter.CounterReads.PageOf;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Condition;
import io.feedkit.spi.counter.CounterWrites.Counted;
import io.feedkit.spi.counter.CounterWrites.Listing;
import io.feedkit.spi.counter.CounterWrites.Redemption;
import io.feedkit.spi.counter.CounterWrites.Settlement;
import io.feedkit.spi.counter.CounterWrites.Turn;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.ReactionLabel;
import io.feedkit.spi.counter.Space;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The reactions of one kind, as {@link Reactions} and {@link ExclusiveReactions} use them.
 *
 * <p>The user's set holds the reaction, and is the source of truth. The post holds the counts, and with each count the
 * users who reacted last. A change takes three steps: turn the member, redeem its ticket at the post (which changes
 * counts and lists together), and settle the member. An interrupted call leaves a member that is not settled. The next
 * call of the user for the post redeems its ticket, and settles it.
 *
 * @param store where the reactions are kept
 * @param prefix the prefix of a post's name in a user's set. Kinds have no slash, so the first slash ends the kind
 * @param posts the counts
 * @param kept how many of the newest users of a post are kept for each count
 */
record ReactionTurns(CounterStore store, String prefix, Posts posts, int kept) {

    /** How many reactions are turned together. */
    private static final int AT_ONCE = 500;

    /** How often a turn is tried while others change the reaction. */
    private static final int ROUNDS = 1000;

    private static final Pattern WORD = Pattern.compile("[a-z0-9_-]{1,15}");

    /** The change that a call makes to one reaction. */
    interface Change {
        /** The next label of a settled reaction; empty if the reaction stays as it is. */
        Optional<ReactionLabel> of(Optional<ReactionLabel> there, long incarnation);
    }

    static ReactionTurns of(CounterStore store, String kind, int kept) {
        Arguments.nonNull("store", store);
        // No kind contains this sign, so the names of reaction counts differ from those of other counts.
        return new ReactionTurns(store, requireWord("kind", kind) + "/", new Posts(store, "+" + kind), kept);
    }

    static String requireWord(String name, String word) {
        if (!WORD.matcher(Arguments.nonNull(name, word)).matches()) {
            throw new IllegalArgumentException(
                    name + " must be 1 to 15 of a-z, 0-9, _ and -, but is " + Ids.printable(word));
        }
        return word;
    }

    ReactionTurns keeping(int newest) {
        return new ReactionTurns(store, prefix, posts, newest);
    }

    static Owner owner(String user) {
        return new Owner(Space.REACTIONS, Ids.require("user", user));
    }

    private String name(String post) {
        return prefix + Ids.require("post", post);
    }

    private String post(Member member) {
        return member.name().substring(prefix.length());
    }

    /** A change to a choice. */
    static Change to(String choice) {
        return (there, incarnation) -> {
            if (there.isEmpty() || there.get().incarnation() < incarnation) {
                return Optional.of(ReactionLabel.on(incarnation, choice));
            }
            return there.get().choice().equals(choice)
                    ? Optional.empty()
                    : Optional.of(there.get().changedTo(choice));
        };
    }

    /** A change to no reaction. */
    static Change removal() {
        return (there, incarnation) -> there.map(ReactionLabel::off);
    }

    /**
     * Turns reactions until each has its new state.
     *
     * @param isNewState whether a label is that of a new state
     * @return the reactions whose counts this call changed to a new state, in the order of the reactions
     */
    Set<Reaction> turn(Map<Reaction, Change> reactions, Predicate<ReactionLabel> isNewState) {
        List<Reaction> all = List.copyOf(reactions.keySet());
        return SeveralSteps.call("reactions.turn", store, steps -> {
            Set<Reaction> changed = new HashSet<>();
            for (int from = 0; from < all.size(); from += AT_ONCE) {
                List<Reaction> some = all.subList(from, Math.min(all.size(), from + AT_ONCE));
                new Batch(steps, reactions, isNewState, changed).run(some);
            }
            Set<Reaction> inOrder = new LinkedHashSet<>(all);
            inOrder.retainAll(changed);
            return inOrder;
        });
    }

    /** Reactions that all change alike. Illegal ids are refused before anything is done. */
    static Map<Reaction, Change> all(Collection<Reaction> reactions, Change change) {
        Map<Reaction, Change> all = new LinkedHashMap<>();
        for (Reaction each : Arguments.nonNull("reactions", reactions)) {
            all.put(require(each), change);
        }
        return all;
    }

    static Reaction require(Reaction reaction) {
        Arguments.nonNull("reaction", reaction);
        Ids.require("user", reaction.user());
        Ids.require("post", reaction.post());
        return reaction;
    }

    /**
     * A batch of changes of reactions. It reads the reactions once. After that, it relies on the answers of the turns:
     * they show the changes of others, which the snapshot of a host's transaction never shows.
     */
    private final class Batch {

        private final CounterStore steps;
        private final Map<Reaction, Change> changes;
        private final Predicate<ReactionLabel> isNewState;
        private final Set<Reaction> changed;
        private final Map<Reaction, Long> incarnations = new HashMap<>();
        /** The present states of the reactions that do not have their new states yet. */
        private final Map<Reaction, Optional<Member>> remaining = new LinkedHashMap<>();

        Batch(
                CounterStore steps,
                Map<Reaction, Change> changes,
                Predicate<ReactionLabel> isNewState,
                Set<Reaction> changed) {
            this.steps = steps;
            this.changes = changes;
            this.isNewState = isNewState;
            this.changed = changed;
        }

        void run(List<Reaction> some) {
            Found found = steps.read(Wanted.NOTHING
                    .withLookups(some.stream()
                            .map(each -> new Lookup(owner(each.user()), List.of(name(each.post()))))
                            .toList())
                    .withCellsOf(
                            posts.incarnations(some.stream().map(Reaction::post).toList())));
            for (int i = 0; i < some.size(); i++) {
                Reaction each = some.get(i);
                incarnations.put(each, found.cellsOf().get(i).count());
                remaining.put(each, Optional.ofNullable(found.lookups().get(i).get(name(each.post()))));
            }
            for (int round = 0; round < ROUNDS && !remaining.isEmpty(); round++) {
                settleAll();
                Map<Reaction, Turn> turns = new LinkedHashMap<>();
                remaining.forEach((each, member) -> next(each, member)
                        .ifPresent(to -> turns.put(
                                each,
                                new Turn(
                                        owner(each.user()),
                                        name(each.post()),
                                        member.map(Member::label),
                                        to.text(),
                                        0))));
                remaining.keySet().retainAll(turns.keySet());
                turnAll(turns);
            }
            if (!remaining.isEmpty()) {
                throw new OutcomeUnknownException(
                        "reactions.turn",
                        new IllegalStateException("other calls changed "
                                + remaining.keySet().iterator().next() + " " + ROUNDS + " times meanwhile"));
            }
        }

        private Optional<ReactionLabel> next(Reaction reaction, Optional<Member> member) {
            return requireNonNull(changes.get(reaction))
                    .of(
                            member.map(there -> ReactionLabel.of(there.label())),
                            requireNonNull(incarnations.get(reaction)));
        }

        /** Finishes the turns of reactions that others left half-done. */
        private void settleAll() {
            Map<Reaction, Member> unsettled = new LinkedHashMap<>();
            remaining.replaceAll((each, member) -> {
                if (member.isEmpty() || member.get().settled()) {
                    return member;
                }
                Member turned = member.get();
                unsettled.put(each, turned);
                return ReactionLabel.of(turned.label())
                        .settled()
                        .map(label -> new Member(turned.name(), label.text(), turned.number(), true));
            });
            settle(unsettled);
        }

        /** Turns reactions and changes the counts. Removes turned reactions from those that remain. */
        private void turnAll(Map<Reaction, Turn> reactions) {
            if (reactions.isEmpty()) {
                return;
            }
            List<Reaction> asked = List.copyOf(reactions.keySet());
            List<Long> tickets = steps.openTickets(
                    asked.stream().map(each -> Posts.owner(each.post())).toList());
            List<Turn> turns = new ArrayList<>(asked.size());
            for (Turn turn : reactions.values()) {
                turns.add(new Turn(turn.owner(), turn.member(), turn.from(), turn.to(), tickets.get(turns.size())));
            }
            List<Optional<Member>> members = steps.turn(turns);
            Map<Reaction, Member> unsettled = new LinkedHashMap<>();
            List<Redemption> discarded = new ArrayList<>();
            for (int i = 0; i < asked.size(); i++) {
                Turn turn = turns.get(i);
                Optional<Member> member = members.get(i);
                if (member.isPresent() && member.get().number() == turn.ticket()) {
                    unsettled.put(asked.get(i), member.get());
                    remaining.remove(asked.get(i));
                } else {
                    discarded.add(new Redemption(Posts.owner(asked.get(i).post()), turn.ticket(), List.of()));
                    remaining.put(asked.get(i), member);
                }
            }
            if (!discarded.isEmpty()) {
                steps.redeem(discarded);
            }
            settle(unsettled);
        }

        /** Changes the counts for turns, and settles the turns. */
        private void settle(Map<Reaction, Member> turned) {
            if (turned.isEmpty()) {
                return;
            }
            List<Redemption> redemptions = new ArrayList<>(turned.size());
            List<Settlement> settlements = new ArrayList<>(turned.size());
            turned.forEach((each, member) -> {
                ReactionLabel label = ReactionLabel.of(member.label());
                // A post that is forgotten meanwhile must not change: no later call would remove its new entries.
                redemptions.add(new Redemption(
                        Posts.owner(each.post()),
                        member.number(),
                        counted(each, label),
                        Optional.of(new Condition(posts.incarnation(each.post()).name(), label.incarnation()))));
                settlements.add(new Settlement(
                        owner(each.user()), member, label.settled().map(ReactionLabel::text)));
            });
            List<Boolean> redeemed = steps.redeem(redemptions);
            int next = 0;
            for (Map.Entry<Reaction, Member> each : turned.entrySet()) {
                boolean counts = !redemptions.get(next).counted().isEmpty();
                if (redeemed.get(next++)
                        && counts
                        && isNewState.test(ReactionLabel.of(each.getValue().label()))) {
                    changed.add(each.getKey());
                }
            }
            steps.settle(settlements);
        }

        /** The changes of the counts; none for an incarnation of the post that was forgotten. */
        private List<Counted> counted(Reaction reaction, ReactionLabel label) {
            long incarnation = label.incarnation();
            if (incarnation < requireNonNull(incarnations.get(reaction))) {
                return List.of();
            }
            List<Counted> counted = new ArrayList<>();
            counted.add(counted(reaction.user(), incarnation, label.choice(), label.isOn()));
            label.before().ifPresent(choice -> counted.add(counted(reaction.user(), incarnation, choice, false)));
            return counted;
        }

        private Counted counted(String user, long incarnation, String choice, boolean isOn) {
            Optional<Listing> listing =
                    isOn && kept == 0 ? Optional.empty() : Optional.of(new Listing(user, Math.max(1, kept)));
            return new Counted(posts.countName(incarnation, choice), isOn ? 1 : -1, listing);
        }
    }

    /** The choice of a reaction in an incarnation; {@code ""} for a reaction without choices. */
    private static Optional<String> choice(Optional<Member> member, long incarnation) {
        return member.map(there -> ReactionLabel.of(there.label()))
                .filter(label -> label.isOn() && label.incarnation() == incarnation)
                .map(ReactionLabel::choice);
    }

    /** The present choices of a user among posts, in their order. Posts without a reaction are left out. */
    Map<String, String> chosen(String user, List<String> among) {
        Owner owner = owner(user);
        Arguments.nonNull("among", among).forEach(post -> Ids.require("post", post));
        Map<String, String> chosen = new LinkedHashMap<>();
        for (int from = 0; from < among.size(); from += CounterReads.AT_ONCE) {
            List<String> some = among.subList(from, Math.min(among.size(), from + CounterReads.AT_ONCE));
            Lookup lookup = new Lookup(owner, some.stream().map(this::name).toList());
            Found found = store.read(Wanted.NOTHING.withLookups(List.of(lookup)).withCellsOf(posts.incarnations(some)));
            for (int i = 0; i < some.size(); i++) {
                String post = some.get(i);
                Member member = found.lookups().get(0).get(name(post));
                choice(Optional.ofNullable(member), found.cellsOf().get(i).count())
                        .ifPresent(choice -> chosen.put(post, choice));
            }
        }
        return chosen;
    }

    /** A page of a user's posts. */
    Reactions.Page page(String user, OptionalLong older, int limit) {
        InvalidRequestException.requireLimit(limit, Reactions.MAX_PAGE);
        List<Member> members = members(store, user, older.orElse(Long.MAX_VALUE), limit + 1);
        List<Member> shown = members.subList(0, Math.min(limit, members.size()));
        List<String> all = shown.stream().map(this::post).toList();
        List<Cell> incarnations = all.isEmpty() ? List.of() : store.cellsOf(posts.incarnations(all));
        List<String> reacted = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (choice(Optional.of(shown.get(i)), incarnations.get(i).count()).isPresent()) {
                reacted.add(all.get(i));
            }
        }
        return new Reactions.Page(
                reacted,
                members.size() > limit ? OptionalLong.of(shown.get(limit - 1).number()) : OptionalLong.empty());
    }

    private List<Member> members(CounterStore from, String user, long below, int limit) {
        PageOf page = new PageOf(owner(user), prefix, below, limit);
        return from.read(Wanted.NOTHING.withPages(List.of(page))).pages().get(0);
    }

    /**
     * The newest users of a post. The post's list may still contain users whose interrupted calls took the reaction
     * back or changed it. So each user's own reaction is looked up.
     */
    Reactions.Newest newest(String post, String choice, int limit) {
        InvalidRequestException.requireLimit(limit, Reactions.MAX_NEWEST);
        CellKey incarnation = posts.incarnation(post);
        long now = 0;
        Found found;
        long guessed;
        do {
            guessed = now;
            found = store.read(Wanted.NOTHING
                    .withCellsOf(List.of(incarnation))
                    .withNewest(List.of(
                            new NewestOf(new CellKey(incarnation.owner(), posts.countName(guessed, choice)), limit))));
            now = found.cellsOf().get(0).count();
        } while (now != guessed);
        Newest newest = found.newest().get(0);
        List<String> users = newest.names();
        List<Lookup> lookups = users.stream()
                .map(user -> new Lookup(owner(user), List.of(name(post))))
                .toList();
        List<Map<String, Member>> members = new ArrayList<>();
        for (int from = 0; from < lookups.size(); from += CounterReads.AT_ONCE) {
            List<Lookup> some = lookups.subList(from, Math.min(lookups.size(), from + CounterReads.AT_ONCE));
            members.addAll(store.read(Wanted.NOTHING.withLookups(some)).lookups());
        }
        List<String> reacted = new ArrayList<>();
        for (int i = 0; i < users.size(); i++) {
            if (choice(Optional.ofNullable(members.get(i).get(name(post))), now)
                    .filter(choice::equals)
                    .isPresent()) {
                reacted.add(users.get(i));
            }
        }
        return new Reactions.Newest(reacted, reacted.size() >= newest.count());
    }

    /** Takes back all reactions of a user that were there at the call. */
    void forget(String user) {
        SeveralSteps.run("reactions.forget", store, steps -> {
            ReactionTurns turns = new ReactionTurns(steps, prefix, posts, kept);
            long below = Long.MAX_VALUE;
            List<Member> members = members(steps, user, below, AT_ONCE);
            while (!members.isEmpty()) {
                turns.turn(
                        all(
                                members.stream()
                                        .map(each -> new Reaction(user, post(each)))
                                        .toList(),
                                removal()),
                        label -> !label.isOn());
                below = members.get(members.size() - 1).number();
                members = members.size() < AT_ONCE ? List.of() : members(steps, user, below, AT_ONCE);
            }
        });
    }
}

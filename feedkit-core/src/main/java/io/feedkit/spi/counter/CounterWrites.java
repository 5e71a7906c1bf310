package io.feedkit.spi.counter;

import io.feedkit.internal.check.Arguments;
import io.feedkit.spi.counter.CounterReads.Cell;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Changes of counters, marks and members: the writing half of a {@link CounterStore}.
 *
 * @since 0.1.0
 */
public interface CounterWrites {

    /**
     * Adds to a sequence.
     *
     * @param key the sequence
     * @param amount what to add; may be negative
     * @param operation an id under which the addition is done only once; empty for no id
     * @param marked the name of a mark of the same owner, which must exist and is raised to the sequence's new count;
     *     empty for none
     * @param behind whether a store with a cache in front may write the addition later, so that it may be lost with the
     *     cache; always false with an operation or a mark
     */
    record Add(CellKey key, long amount, Optional<String> operation, Optional<String> marked, boolean behind) {
        /** Sets {@code behind} to false if there is an operation or a mark. */
        public Add {
            Arguments.nonNull("key", key);
            Arguments.nonNull("operation", operation);
            Arguments.nonNull("marked", marked);
            behind = behind && operation.isEmpty() && marked.isEmpty();
        }

        /**
         * An addition that is written before the call returns.
         *
         * @param key the sequence
         * @param amount what to add; may be negative
         * @param operation an id under which the addition is done only once; empty for no id
         * @param marked the name of a mark of the same owner, which must exist and is raised to the sequence's new
         *     count; empty for none
         */
        public Add(CellKey key, long amount, Optional<String> operation, Optional<String> marked) {
            this(key, amount, operation, marked, false);
        }

        /**
         * An addition without a mark.
         *
         * @param key the sequence
         * @param amount what to add; may be negative
         * @param operation an id under which the addition is done only once; empty for no id
         */
        public Add(CellKey key, long amount, Optional<String> operation) {
            this(key, amount, operation, Optional.empty());
        }

        /**
         * This addition, but it may be written later.
         *
         * @return the addition; unchanged if it has an operation or a mark
         */
        public Add writtenBehind() {
            return new Add(key, amount, operation, marked, true);
        }
    }

    /** The outcome of an {@link Add}. */
    enum Outcome {
        /** The amount was added. */
        ADDED,
        /** The operation had been done before; nothing was changed. */
        REPEATED,
        /** The sum does not fit into 64 bits; nothing was changed, and the operation's id was not used. */
        OVERFLOW,
        /** The required mark does not exist; nothing was changed, and the operation's id was not used. */
        UNMARKED
    }

    /**
     * The answer to an {@link Add}.
     *
     * @param outcome the outcome
     * @param count the sequence's count afterwards; {@code 0} if the addition is written later
     */
    record Added(Outcome outcome, long count) {
        /** Refuses null. */
        public Added {
            Arguments.nonNull("outcome", outcome);
        }
    }

    /** Which marks a {@link Raise} changes. */
    enum When {
        /** Every mark. A missing mark begins at zero, unless its sequence has nothing: then it is not created. */
        ALWAYS,
        /** Only a mark that exists. */
        PRESENT,
        /** Only a mark that does not exist. */
        ABSENT
    }

    /**
     * Raises a mark.
     *
     * @param key the mark
     * @param to raise the mark at least to this number; {@link Long#MAX_VALUE} for the whole sequence
     * @param by how much to raise it beyond the higher of its value and {@code to}
     * @param sequence the name of the owner's sequence that the mark never exceeds; empty for no bound
     * @param when whether the mark must exist
     * @param behind whether a store with a cache in front may write the raise later, so that it may be lost with the
     *     cache. All raises of one mark must agree on this, except for the raise that creates it
     */
    record Raise(CellKey key, long to, long by, Optional<String> sequence, When when, boolean behind) {
        /** Refuses null. */
        public Raise {
            Arguments.nonNull("key", key);
            Arguments.nonNull("sequence", sequence);
            Arguments.nonNull("when", when);
        }

        /**
         * A raise that is written before the call returns.
         *
         * @param key the mark
         * @param to raise the mark at least to this number; {@link Long#MAX_VALUE} for the whole sequence
         * @param by how much to raise it beyond the higher of its value and {@code to}
         * @param sequence the name of the owner's sequence that the mark never exceeds; empty for no bound
         * @param when whether the mark must exist
         */
        public Raise(CellKey key, long to, long by, Optional<String> sequence, When when) {
            this(key, to, by, sequence, when, false);
        }

        /**
         * This raise, but it may be written later.
         *
         * @return the raise
         */
        public Raise writtenBehind() {
            return new Raise(key, to, by, sequence, when, true);
        }

        /**
         * Computes the new value of a mark. For stores.
         *
         * @param mark the present value; empty if there is no mark
         * @param count the count of the sequence that bounds the mark, if there is one
         * @return the new value; empty if there is no mark
         */
        public OptionalLong onto(OptionalLong mark, long count) {
            if (when == (mark.isPresent() ? When.ABSENT : When.PRESENT)) {
                return mark;
            }
            if (when == When.ALWAYS && mark.isEmpty() && sequence.isPresent() && count <= 0) {
                return mark;
            }
            long before = mark.orElse(0);
            long aim = Math.max(before, to);
            long sum = aim > Long.MAX_VALUE - by ? Long.MAX_VALUE : aim + by;
            long bound = sequence.isPresent() ? count : Long.MAX_VALUE;
            return OptionalLong.of(Math.max(before, Math.min(bound, sum)));
        }
    }

    /**
     * Puts a member into the owner's set.
     *
     * @param owner the owner
     * @param member the member
     * @param label the member's label; {@code ""} for none
     * @param number the member's number; empty to take the next number of the owner's sequence {@code ""} in the same
     *     step
     * @param replaced which present member of the same name is replaced; if there is none, the member is always put
     * @param behind whether a store with a cache in front may write the member later, so that it may be lost with the
     *     cache. It is not written later if it replaces a member with a higher number
     */
    record Put(Owner owner, String member, String label, OptionalLong number, Replaced replaced, boolean behind) {
        /** Refuses null. */
        public Put {
            Arguments.nonNull("owner", owner);
            Arguments.nonNull("member", member);
            Arguments.nonNull("label", label);
            Arguments.nonNull("number", number);
            Arguments.nonNull("replaced", replaced);
        }

        /** Orders labels that are numbers by their values. */
        private static final Comparator<String> LABELS =
                Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder());

        /**
         * A put that is written before the call returns.
         *
         * @param owner the owner
         * @param member the member
         * @param label the member's label; {@code ""} for none
         * @param number the member's number; empty to take the next number of the owner's sequence {@code ""} in the
         *     same step
         * @param replaced which present member of the same name is replaced; if there is none, the member is always put
         */
        public Put(Owner owner, String member, String label, OptionalLong number, Replaced replaced) {
            this(owner, member, label, number, replaced, false);
        }

        /**
         * This put, but it may be written later.
         *
         * @return the put
         */
        public Put writtenBehind() {
            return new Put(owner, member, label, number, replaced, true);
        }

        /**
         * Returns whether this put replaces a member. For stores.
         *
         * @param there the present member of the same name
         * @return true if it is replaced
         */
        public boolean takesPlaceOf(Member there) {
            int order = LABELS.compare(there.label(), label);
            return replaced.upTo().isPresent() && (order < 0 || (order == 0 && replaced.has(there.number())));
        }
    }

    /**
     * Which member of the same name is replaced: a member with a lower label, or a member with the same label and a
     * number outside of bounds. The longer of two labels is the higher one; of two labels with the same length, the one
     * that is later in ASCII. So a label may be a number that only rises.
     *
     * @param upTo the highest number below the bounds; empty if no member is replaced
     * @param from the lowest number above the bounds, such as that of a clock that was ahead
     */
    record Replaced(OptionalLong upTo, OptionalLong from) {
        /** Refuses null. */
        public Replaced {
            Arguments.nonNull("upTo", upTo);
            Arguments.nonNull("from", from);
        }

        /** No member is replaced. */
        public static final Replaced NONE = new Replaced(OptionalLong.empty());

        /**
         * A bound for low numbers only.
         *
         * @param upTo the highest number of a replaced member with the same label; empty if no member is replaced
         */
        public Replaced(OptionalLong upTo) {
            this(upTo, OptionalLong.empty());
        }

        private boolean has(long number) {
            return (upTo.isPresent() && number <= upTo.getAsLong()) || (from.isPresent() && number >= from.getAsLong());
        }
    }

    /**
     * Changes a member's label, with a ticket that has to be redeemed elsewhere before the turn is settled.
     *
     * @param owner the owner
     * @param member the member
     * @param from the label that the member must have; empty if the member must not exist
     * @param to the new label
     * @param ticket the ticket, which becomes the member's number
     */
    record Turn(Owner owner, String member, Optional<String> from, String to, long ticket) {
        /** Refuses null. */
        public Turn {
            Arguments.nonNull("owner", owner);
            Arguments.nonNull("member", member);
            Arguments.nonNull("from", from);
            Arguments.nonNull("to", to);
        }
    }

    /**
     * Adds to sequences. The ids of operations are kept for each sequence, for 24 hours unless the store is configured
     * otherwise.
     *
     * @param adds what to add
     * @return for each addition its outcome
     */
    List<Added> add(List<Add> adds);

    /**
     * Adds to sequences as {@link #add}, at most {@value CounterReads#AT_ONCE} additions at once. If it fails in the
     * middle, earlier additions are done.
     *
     * @param adds what to add
     * @return for each addition its outcome
     */
    default List<Added> addAll(List<Add> adds) {
        return Pieces.of(adds, this::add);
    }

    /**
     * A request to take an operation back.
     *
     * @param key the sequence
     * @param operation the id of the operation
     */
    record Retraction(CellKey key, String operation) {
        /** Refuses null. */
        public Retraction {
            Arguments.nonNull("key", key);
            Arguments.nonNull("operation", operation);
        }
    }

    /**
     * Takes operations back. Counts and marks stay. An operation's addition above the mark is a {@linkplain Cell#gaps
     * gap} from now on, until the mark is above it. An addition below the mark was seen, so nothing changes.
     *
     * <p>The store then keeps the id of each operation, even if the operation was not done yet: an addition that comes
     * later changes nothing. Retracting an operation whose sequence was removed since changes nothing. Idempotent. No
     * addition to the sequence may be {@linkplain Add#behind written later}, because the store does not know where such
     * additions lie.
     *
     * @param retractions the operations, all of owners in {@link Space#TYPES}
     */
    void retract(List<Retraction> retractions);

    /**
     * Raises marks. A mark never falls. Idempotent if {@code by} is zero.
     *
     * @param raises the marks, and how far to raise them
     * @return for each raise the mark before and after it
     */
    List<Raised> raise(List<Raise> raises);

    /**
     * Raises marks as {@link #raise}, at most {@value CounterReads#AT_ONCE} at once. If it fails in the middle, earlier
     * marks are raised.
     *
     * @param raises the marks, and how far to raise them
     * @return for each raise the mark before and after it
     */
    default List<Raised> raiseAll(List<Raise> raises) {
        return Pieces.of(raises, this::raise);
    }

    /**
     * The answer to a {@link Raise}.
     *
     * @param before the mark before; empty if there was none
     * @param after the mark after; empty if there is none
     */
    record Raised(OptionalLong before, OptionalLong after) {
        /** Refuses null. */
        public Raised {
            Arguments.nonNull("before", before);
            Arguments.nonNull("after", after);
        }
    }

    /**
     * Removes marks and sequences, with the lists of their newest names. Idempotent.
     *
     * @param keys the cells to remove
     */
    void removeCells(Collection<CellKey> keys);

    /**
     * Puts members into sets. Idempotent.
     *
     * @param puts the members
     * @return for each put the member's number; empty if the member was not put
     */
    List<OptionalLong> put(List<Put> puts);

    /**
     * Puts members as {@link #put}, at most {@value CounterReads#AT_ONCE} at once. If it fails in the middle, earlier
     * members are put.
     *
     * @param puts the members
     * @return as {@link #put}
     */
    default List<OptionalLong> putAll(List<Put> puts) {
        return Pieces.of(puts, this::put);
    }

    /**
     * Opens tickets. A ticket is a number that the owner gives out once. It changes sequences of this owner at most
     * once, even if it is redeemed several times. A ticket that is never redeemed expires after the same time as the id
     * of an operation. Of two tickets of one store, the later one has the higher number. Across processes, this holds
     * if their clocks agree.
     *
     * @param owners the owners of the tickets
     * @return for each owner the ticket, at least 1
     */
    List<Long> openTickets(List<Owner> owners);

    /**
     * A name in the list of a sequence's newest names.
     *
     * @param name the name, an id
     * @param kept how many names the list keeps, at least 1; older ones drop out. A store may keep an eighth more
     */
    record Listing(String name, int kept) {
        /** Refuses null. */
        public Listing {
            Arguments.nonNull("name", name);
        }
    }

    /**
     * A change of a sequence by a ticket.
     *
     * @param name the name of the sequence
     * @param amount what to add; not {@code 0}
     * @param listing the name that becomes the newest of the sequence if the amount is positive, and that is removed
     *     from its newest names if the amount is negative; empty for none
     */
    record Counted(String name, long amount, Optional<Listing> listing) {
        /** Refuses null. */
        public Counted {
            Arguments.nonNull("name", name);
            Arguments.nonNull("listing", listing);
        }
    }

    /**
     * A condition of a redemption: a sequence of the owner has a given count.
     *
     * @param name the name of the sequence, which no redemption changes
     * @param count the count
     */
    record Condition(String name, long count) {
        /** Refuses null. */
        public Condition {
            Arguments.nonNull("name", name);
        }
    }

    /**
     * A request to redeem a ticket by changing sequences, and the lists of their newest names. Only owners in
     * {@link Space#POSTS} have such lists.
     *
     * @param owner the owner who opened the ticket
     * @param ticket the ticket
     * @param counted the changes; empty to discard the ticket
     * @param condition a condition that must hold at the moment of the changes. Otherwise nothing is changed, but the
     *     ticket is redeemed. Empty for no condition
     */
    record Redemption(Owner owner, long ticket, List<Counted> counted, Optional<Condition> condition) {
        /** Copies the list. */
        public Redemption {
            Arguments.nonNull("owner", owner);
            Arguments.nonNull("condition", condition);
            counted = List.copyOf(Arguments.nonNull("counted", counted));
        }

        /**
         * A request without a condition.
         *
         * @param owner the owner who opened the ticket
         * @param ticket the ticket
         * @param counted the changes; empty to discard the ticket
         */
        public Redemption(Owner owner, long ticket, List<Counted> counted) {
            this(owner, ticket, counted, Optional.empty());
        }

        /**
         * A request to change one sequence without a list.
         *
         * @param key the sequence, of the owner who opened the ticket
         * @param ticket the ticket
         * @param amount what to add; {@code 0} to discard the ticket
         */
        public Redemption(CellKey key, long ticket, long amount) {
            this(
                    Arguments.nonNull("key", key).owner(),
                    ticket,
                    amount == 0 ? List.of() : List.of(new Counted(key.name(), amount, Optional.empty())));
        }
    }

    /**
     * Redeems tickets, each atomically with all its changes. Idempotent: a ticket that was redeemed before, or never
     * opened, changes nothing. If a sum does not fit into 64 bits, the sequence stays, but the ticket is redeemed.
     *
     * @param redemptions the tickets, and what to change
     * @return for each ticket whether it was redeemed by this call
     */
    List<Boolean> redeem(List<Redemption> redemptions);

    /**
     * Turns members. A member stays as it is if its last turn is not settled, or if it does not have the label
     * {@code from}.
     *
     * @param turns the turns
     * @return for each turn the member afterwards; if it was turned, its number is the ticket. Empty if the member does
     *     not exist
     */
    List<Optional<Member>> turn(List<Turn> turns);

    /**
     * A request to settle a turn.
     *
     * @param owner the owner
     * @param member the member, with the ticket of the turn as its number
     * @param label the label that the member has from then on; empty to remove the member
     */
    record Settlement(Owner owner, Member member, Optional<String> label) {
        /** Refuses null. */
        public Settlement {
            Arguments.nonNull("owner", owner);
            Arguments.nonNull("member", member);
            Arguments.nonNull("label", label);
        }

        /**
         * A request to settle a turn, and to keep the label of a member that is not removed.
         *
         * @param owner the owner
         * @param member the member, with the ticket of the turn as its number
         * @param removed whether to remove the member
         */
        public Settlement(Owner owner, Member member, boolean removed) {
            this(owner, member, removed ? Optional.empty() : Optional.of(member.label()));
        }
    }

    /**
     * Settles the last turns of members. A member that now has a different ticket stays as it is. Idempotent.
     *
     * @param turns the turns
     */
    void settle(List<Settlement> turns);

    /**
     * Removes members from a set. Idempotent.
     *
     * @param owner the owner
     * @param members the names of the members
     * @return for each name whether the member existed
     */
    List<Boolean> removeMembers(Owner owner, List<String> members);

    /**
     * Changes the label of a member if it exists; its number stays. Idempotent.
     *
     * @param owner the owner
     * @param member the member
     * @param label the new label
     */
    void relabel(Owner owner, String member, String label);

    /**
     * Removes cells, sets and lists of owners. The ids of operations are kept, and open tickets stay open, so that a
     * repeated call does not repeat its effect. Idempotent.
     *
     * @param owners the owners
     */
    void forget(Collection<Owner> owners);
}

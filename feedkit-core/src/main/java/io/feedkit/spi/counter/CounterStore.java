package io.feedkit.spi.counter;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Keeps numbers for {@code io.feedkit.unread} and {@code io.feedkit.counter} in three primitives: sequences that are
 * added to, marks that only rise, and members of sets.
 *
 * <p>Everything belongs to an {@link Owner}. What one owner has is kept in one place; what is done to one owner by one
 * step is atomic, and a batch is not: if it fails in the middle, each of its steps was done or not done. Steps of one
 * batch for the same owner are done in their order. Thread-safe.
 */
public interface CounterStore {

    /** What owners are, so that the same id may be a user's and a post's. */
    enum Space {
        /** A user's typed counters: a cell for each type. */
        TYPES,
        /**
         * A conversation: the cell {@code ""} numbers the messages, a cell with a mark for each member; its set holds
         * the messages that were taken back.
         */
        CONVERSATION,
        /** The conversations that a user is in: a set. */
        CONVERSATIONS,
        /** The announcements: the cell {@code ""} numbers them; its set holds them by id, labelled with the segment. */
        ANNOUNCEMENTS,
        /** How far a user has seen the announcements: the cell {@code ""}. */
        ANNOUNCEMENTS_SEEN,
        /** A red dot: its versions, and up to which it is lit for all, or was put out. */
        DOT,
        /** A user's red dots: for each up to which version it was lit for this user, and which the user has seen. */
        DOTS,
        /** Any counter: a cell for each type. */
        COUNTERS,
        /**
         * What a user has reacted to: a set of posts under kinds, each with its incarnation in the label and a ticket
         * of the post as its number.
         */
        REACTIONS,
        /** What is counted for a post: for each kind its incarnation, and the count in it. */
        POSTS,
        /**
         * What a user has viewed: a set of posts, each with its incarnation as the label and the time of the view that
         * counted last as its number.
         */
        VIEWS
    }

    /**
     * What numbers belong to.
     *
     * @param space what it is
     * @param id its id
     */
    record Owner(Space space, String id) {}

    /**
     * Names one sequence, one mark, or both, of an owner.
     *
     * @param owner the owner
     * @param name up to 80 visible ASCII characters, or {@code ""}
     */
    record CellKey(Owner owner, String name) {}

    /**
     * A sequence and a mark under one key.
     *
     * @param count what was added, {@code 0} if nothing was
     * @param mark the mark; empty if there is none
     */
    record Cell(long count, OptionalLong mark) {
        /** Neither a sequence nor a mark. */
        public static final Cell NONE = new Cell(0, OptionalLong.empty());
    }

    /**
     * Adds to a sequence.
     *
     * @param key the sequence
     * @param amount what to add, also less than nothing
     * @param operation an id under which it is done once; empty to do it without
     * @param marked the name of a mark of the same owner that has to be there, and is raised to what the sequence holds
     *     afterwards; empty for none
     * @param behind whether a store with a cache in front may write it later, so that it may be lost with the cache;
     *     not with an operation or a mark
     */
    record Add(CellKey key, long amount, Optional<String> operation, Optional<String> marked, boolean behind) {
        /** Adds nothing behind that is under an operation's id, or that a mark has to be there for. */
        public Add {
            behind = behind && operation.isEmpty() && marked.isEmpty();
        }

        /**
         * Adds before the call returns.
         *
         * @param key the sequence
         * @param amount what to add, also less than nothing
         * @param operation an id under which it is done once; empty to do it without
         * @param marked the name of a mark of the same owner that has to be there, and is raised to what the sequence
         *     holds afterwards; empty for none
         */
        public Add(CellKey key, long amount, Optional<String> operation, Optional<String> marked) {
            this(key, amount, operation, marked, false);
        }

        /**
         * Adds without a mark.
         *
         * @param key the sequence
         * @param amount what to add, also less than nothing
         * @param operation an id under which it is done once; empty to do it without
         */
        public Add(CellKey key, long amount, Optional<String> operation) {
            this(key, amount, operation, Optional.empty());
        }

        /**
         * The same, but it may be written later.
         *
         * @return the same if it is under an operation's id, or if a mark has to be there
         */
        public Add writtenBehind() {
            return new Add(key, amount, operation, marked, true);
        }
    }

    /** What became of an {@link Add}. */
    enum Outcome {
        /** It was added. */
        ADDED,
        /** The operation had been done before; nothing was changed. */
        REPEATED,
        /** The sum does not fit into 64 bits; nothing was changed, and the operation's id was not used. */
        OVERFLOW,
        /** The mark that has to be there is not; nothing was changed, and the operation's id was not used. */
        UNMARKED
    }

    /**
     * The answer to an {@link Add}.
     *
     * @param outcome what became of it
     * @param count what the sequence holds afterwards; {@code 0} where it is written behind
     */
    record Added(Outcome outcome, long count) {}

    /** Which marks are raised. */
    enum When {
        /** Any; one that is not there begins at zero. */
        ALWAYS,
        /** One that is there. */
        PRESENT,
        /** One that is not there. */
        ABSENT
    }

    /**
     * Raises a mark.
     *
     * @param key the mark
     * @param to at least how far; {@link Long#MAX_VALUE} for all there is
     * @param by how much further than it is, or than {@code to}
     * @param sequence the name of the owner's sequence that the mark never exceeds; empty for no bound
     * @param when whether it has to be there
     * @param behind whether a store with a cache in front may write it later, so that it may be lost with the cache.
     *     All that raise a mark agree on that, but for what makes it
     */
    record Raise(CellKey key, long to, long by, Optional<String> sequence, When when, boolean behind) {
        /**
         * Raises before the call returns.
         *
         * @param key the mark
         * @param to at least how far; {@link Long#MAX_VALUE} for all there is
         * @param by how much further than it is, or than {@code to}
         * @param sequence the name of the owner's sequence that the mark never exceeds; empty for no bound
         * @param when whether it has to be there
         */
        public Raise(CellKey key, long to, long by, Optional<String> sequence, When when) {
            this(key, to, by, sequence, when, false);
        }

        /**
         * The same, but it may be written later.
         *
         * @return what to raise
         */
        public Raise writtenBehind() {
            return new Raise(key, to, by, sequence, when, true);
        }

        /**
         * What becomes of a mark. For stores.
         *
         * @param mark where it is; empty if there is none
         * @param count what the sequence that bounds it holds, if there is one
         * @return where it is then; empty if there is none
         */
        public OptionalLong onto(OptionalLong mark, long count) {
            if (when == (mark.isPresent() ? When.ABSENT : When.PRESENT)) {
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
     * @param label what it is counted under; {@code ""} for nothing special
     * @param number its number; empty for the next of the owner's sequence {@code ""}, which is taken with it
     * @param replaced which member of the same name it takes the place of; where there is none it is always put
     * @param behind whether a store with a cache in front may write it later, so that it may be lost with the cache;
     *     only if it has a number that is higher than those of the members that make room
     */
    record Put(Owner owner, String member, String label, OptionalLong number, Replaced replaced, boolean behind) {
        /** Of numbers the greater is the higher. */
        private static final Comparator<String> LABELS =
                Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder());

        /**
         * Puts a member before the call returns.
         *
         * @param owner the owner
         * @param member the member
         * @param label what it is counted under; {@code ""} for nothing special
         * @param number its number; empty for the next of the owner's sequence {@code ""}, which is taken with it
         * @param replaced which member of the same name it takes the place of; where there is none it is always put
         */
        public Put(Owner owner, String member, String label, OptionalLong number, Replaced replaced) {
            this(owner, member, label, number, replaced, false);
        }

        /**
         * The same, but it may be written later.
         *
         * @return what to put
         */
        public Put writtenBehind() {
            return new Put(owner, member, label, number, replaced, true);
        }

        /**
         * Whether it takes the place of a member. For stores.
         *
         * @param there the member of the same name
         * @return whether that makes room
         */
        public boolean takesPlaceOf(Member there) {
            OptionalLong upTo = replaced.upTo();
            int order = LABELS.compare(there.label(), label);
            return upTo.isPresent() && (order < 0 || (order == 0 && there.number() <= upTo.getAsLong()));
        }
    }

    /**
     * Which member of the same name makes room: one with a lower label, and one with the same label whose number is low
     * enough. The longer of two labels is the higher; of those that are as long it is the one that is later in ASCII.
     * So a label may be a number that only rises.
     *
     * @param upTo the highest number that is low enough; empty if no member makes room, whatever its label
     */
    record Replaced(OptionalLong upTo) {
        /** A member that is there stays as it is. */
        public static final Replaced NONE = new Replaced(OptionalLong.empty());
    }

    /**
     * Turns a member from one label to another, for a ticket that has to be redeemed elsewhere before the turn is
     * settled.
     *
     * @param owner the owner
     * @param member the member
     * @param from the label that it must have; empty if it must not be there
     * @param to the new label
     * @param ticket the ticket, which becomes the member's number
     */
    record Turn(Owner owner, String member, Optional<String> from, String to, long ticket) {}

    /**
     * A member of a set.
     *
     * @param name the member
     * @param label its label
     * @param number its number
     * @param settled false if it was turned and that was not settled yet
     */
    record Member(String name, String label, long number, boolean settled) {}

    /**
     * How many members are numbered above a mark, and how far the sequence is.
     *
     * @param cell the sequence {@code ""} of the owner, and the mark
     * @param above members with higher numbers than the mark; {@code 0} without a mark
     */
    record Standing(Cell cell, long above) {}

    /**
     * Looks some members of a set up.
     *
     * @param owner the owner
     * @param members which
     */
    record Lookup(Owner owner, Collection<String> members) {}

    /**
     * What is read in one round trip.
     *
     * @param cells owners whose cells are read, all of each
     * @param cellsOf cells that are read one by one
     * @param standings marks that are compared with the sequence and the set of their owners, each at one moment
     * @param members owners whose sets are read as a whole
     * @param lookups members that are looked up
     */
    record Wanted(
            List<Owner> cells,
            List<CellKey> cellsOf,
            List<CellKey> standings,
            List<Owner> members,
            List<Lookup> lookups) {
        /** Nothing. */
        public static final Wanted NOTHING = new Wanted(List.of(), List.of(), List.of(), List.of(), List.of());

        /**
         * The same, but with the cells of these owners.
         *
         * @param wanted the owners
         * @return what is wanted
         */
        public Wanted withCells(List<Owner> wanted) {
            return new Wanted(wanted, cellsOf, standings, members, lookups);
        }

        /**
         * The same, but with these cells.
         *
         * @param wanted the cells
         * @return what is wanted
         */
        public Wanted withCellsOf(List<CellKey> wanted) {
            return new Wanted(cells, wanted, standings, members, lookups);
        }

        /**
         * The same, but with where these marks stand.
         *
         * @param wanted the marks
         * @return what is wanted
         */
        public Wanted withStandings(List<CellKey> wanted) {
            return new Wanted(cells, cellsOf, wanted, members, lookups);
        }

        /**
         * The same, but with the sets of these owners.
         *
         * @param wanted the owners
         * @return what is wanted
         */
        public Wanted withMembers(List<Owner> wanted) {
            return new Wanted(cells, cellsOf, standings, wanted, lookups);
        }

        /**
         * The same, but with these members.
         *
         * @param wanted which members
         * @return what is wanted
         */
        public Wanted withLookups(List<Lookup> wanted) {
            return new Wanted(cells, cellsOf, standings, members, wanted);
        }
    }

    /**
     * What was read; each list is as long as what was {@linkplain Wanted wanted}, and in its order.
     *
     * @param cells for each owner the cells by name; those that are {@linkplain Cell#NONE none} may be left out
     * @param cellsOf for each key the cell
     * @param standings for each mark where it stands
     * @param members for each owner the members
     * @param lookups for each lookup the members that are there, by name
     */
    record Found(
            List<Map<String, Cell>> cells,
            List<Cell> cellsOf,
            List<Standing> standings,
            List<List<Member>> members,
            List<Map<String, Member>> lookups) {}

    /**
     * Adds to sequences. What was done under an operation's id is remembered for each sequence, 24 hours unless the
     * store is told otherwise.
     *
     * @param adds what to add
     * @return for each what became of it
     */
    List<Added> add(List<Add> adds);

    /**
     * Raises marks. A mark never falls. Idempotent where {@code by} is zero.
     *
     * @param raises which, and how far
     * @return for each where the mark was and where it is; as many as were asked for
     */
    List<Raised> raise(List<Raise> raises);

    /**
     * The answer to a {@link Raise}.
     *
     * @param before where the mark was; empty if there was none
     * @param after where it is; empty if there is none
     */
    record Raised(OptionalLong before, OptionalLong after) {}

    /**
     * Removes marks and sequences. Idempotent.
     *
     * @param keys which
     */
    void removeCells(Collection<CellKey> keys);

    /**
     * Puts members into sets. Idempotent.
     *
     * @param puts which
     * @return for each the member's number if it was put; empty if it was not
     */
    List<OptionalLong> put(List<Put> puts);

    /**
     * Opens tickets. A ticket is a number that the owner gives out once, and that changes a sequence of this owner
     * once, however often it is redeemed. One that is never redeemed is forgotten as operations are.
     *
     * @param owners whose
     * @return for each the ticket, at least 1
     */
    List<Long> openTickets(List<Owner> owners);

    /**
     * A ticket that is redeemed by adding to a sequence.
     *
     * @param key the sequence, of the owner who opened the ticket
     * @param ticket the ticket
     * @param amount what to add; {@code 0} to throw the ticket away
     */
    record Redemption(CellKey key, long ticket, long amount) {}

    /**
     * Redeems tickets. Each atomically; idempotent: a ticket that was redeemed, or never opened, changes nothing. A sum
     * that does not fit into 64 bits is not added, but the ticket is redeemed.
     *
     * @param redemptions which tickets, and what to add
     * @return for each whether it was redeemed now
     */
    List<Boolean> redeem(List<Redemption> redemptions);

    /**
     * Turns members. One whose last turn is not settled yet, or that has not the label it must have, stays as it is.
     *
     * @param turns which
     * @return for each the member as it is now; its number is the ticket if it was turned. Empty if it is not there
     */
    List<Optional<Member>> turn(List<Turn> turns);

    /**
     * A turn that is settled.
     *
     * @param owner the owner
     * @param member the member, with the ticket of the turn as its number
     * @param removed whether the member is gone with it
     */
    record Settlement(Owner owner, Member member, boolean removed) {}

    /**
     * Settles the last turns of members, but of those that have another ticket by now. Idempotent.
     *
     * @param turns which turns
     */
    void settle(List<Settlement> turns);

    /**
     * Takes members out of sets. Idempotent.
     *
     * @param owner the owner
     * @param members which
     * @return for each whether it was there
     */
    List<Boolean> removeMembers(Owner owner, List<String> members);

    /**
     * Changes the labels of members that are there; their numbers stay. Idempotent.
     *
     * @param owner the owner
     * @param member the member
     * @param label the new label
     */
    void relabel(Owner owner, String member, String label);

    /**
     * Reads, in one round trip. What belongs to one owner is read at one moment where the store says so, each standing
     * always.
     *
     * @param wanted what
     * @return what was found
     */
    Found read(Wanted wanted);

    /**
     * Reads all cells of owners.
     *
     * @param owners the owners
     * @return for each its cells by name
     */
    default List<Map<String, Cell>> cells(List<Owner> owners) {
        return read(Wanted.NOTHING.withCells(owners)).cells();
    }

    /**
     * Reads cells.
     *
     * @param keys which
     * @return for each the cell
     */
    default List<Cell> cellsOf(List<CellKey> keys) {
        return read(Wanted.NOTHING.withCellsOf(keys)).cellsOf();
    }

    /**
     * Reads one cell.
     *
     * @param key which
     * @return the cell
     */
    default Cell cell(CellKey key) {
        return cellsOf(List.of(key)).get(0);
    }

    /**
     * Compares marks with the sequence and the set of their owners, each at one moment.
     *
     * @param marks the marks
     * @return for each where it stands
     */
    default List<Standing> standings(List<CellKey> marks) {
        return read(Wanted.NOTHING.withStandings(marks)).standings();
    }

    /**
     * Reads a whole set.
     *
     * @param owner the owner
     * @return the members
     */
    default List<Member> members(Owner owner) {
        return read(Wanted.NOTHING.withMembers(List.of(owner))).members().get(0);
    }

    /**
     * Looks members up.
     *
     * @param owner the owner
     * @param members which
     * @return those that are there, by name
     */
    default Map<String, Member> membersOf(Owner owner, Collection<String> members) {
        return read(Wanted.NOTHING.withLookups(List.of(new Lookup(owner, members))))
                .lookups()
                .get(0);
    }

    /**
     * Forgets cells and sets of owners. What was done under operations' ids stays remembered, and open tickets stay
     * open: whoever goes on with a call that failed must not do it again. Idempotent.
     *
     * @param owners which
     */
    void forget(Collection<Owner> owners);
}

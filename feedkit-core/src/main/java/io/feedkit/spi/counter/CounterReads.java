package io.feedkit.spi.counter;

import io.feedkit.internal.check.Arguments;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Reads of counters, marks and members: the reading half of a {@link CounterStore}.
 *
 * @since 0.1.0
 */
public interface CounterReads {

    /**
     * A sequence and a mark under one key.
     *
     * @param count the sum of all additions, including those taken back since; {@code 0} if nothing was added
     * @param mark the mark; empty if there is none
     * @param gaps the additions above the mark that were taken back
     */
    record Cell(long count, OptionalLong mark, Gaps gaps) {
        /** Neither a sequence nor a mark. */
        public static final Cell NONE = new Cell(0, OptionalLong.empty());

        /** Leaves out the gaps that end at or below the mark. */
        public Cell {
            Arguments.nonNull("mark", mark);
            Arguments.nonNull("gaps", gaps);
            gaps = gaps.above(mark.orElse(0));
        }

        /**
         * A cell without gaps.
         *
         * @param count the sum of all additions; {@code 0} if nothing was added
         * @param mark the mark; empty if there is none
         */
        public Cell(long count, OptionalLong mark) {
            this(count, mark, Gaps.NONE);
        }

        /**
         * Returns how much of the sequence lies above the mark, and was not taken back.
         *
         * @return the amount; may be negative
         */
        public long unread() {
            long seen = mark.orElse(0);
            return count - seen - gaps.sumAbove(seen);
        }

        /**
         * This cell with another count.
         *
         * @param sum the count
         * @return the cell
         */
        public Cell withCount(long sum) {
            return new Cell(sum, mark, gaps);
        }

        /**
         * This cell with another mark.
         *
         * @param raised the mark
         * @return the cell
         */
        public Cell withMark(OptionalLong raised) {
            return new Cell(count, raised, gaps);
        }

        /**
         * Takes back an addition. For stores.
         *
         * @param end the count after the addition
         * @param amount the amount of the addition; {@code 0} or less changes nothing
         * @return this cell without it; the same cell if the addition lies below the mark, or beyond the count
         */
        public Cell without(long end, long amount) {
            return amount <= 0 || end > count || end <= mark.orElse(0)
                    ? this
                    : new Cell(count, mark, gaps.with(new Gaps.Gap(end, amount)));
        }
    }

    /**
     * How many members have numbers above a mark, and the count of the sequence.
     *
     * @param cell the sequence {@code ""} of the owner, and the mark
     * @param above the number of members with higher numbers than the mark; {@code 0} without a mark
     */
    record Standing(Cell cell, long above) {
        /** Refuses null. */
        public Standing {
            Arguments.nonNull("cell", cell);
        }
    }

    /**
     * A request for some members of a set.
     *
     * @param owner the owner
     * @param members the names of the members
     */
    record Lookup(Owner owner, Collection<String> members) {
        /** Refuses null. */
        public Lookup {
            Arguments.nonNull("owner", owner);
            Arguments.nonNull("members", members);
        }
    }

    /**
     * A request for a page of a set: members with numbers below a bound, the highest number first.
     *
     * @param owner the owner
     * @param prefix the beginning of the members' names, up to and including their first slash; empty for all members
     *     of an owner in {@link Space#ANNOUNCEMENTS}, whose numbers differ
     * @param below the bound, which is not included
     * @param limit the most members
     */
    record PageOf(Owner owner, String prefix, long below, int limit) {
        /** Refuses null. */
        public PageOf {
            Arguments.nonNull("owner", owner);
            Arguments.nonNull("prefix", prefix);
        }
    }

    /**
     * A request for the {@linkplain CounterWrites.Listing newest names} of a sequence, the newest first.
     *
     * @param key the sequence
     * @param limit the most names
     */
    record NewestOf(CellKey key, int limit) {
        /** Refuses null. */
        public NewestOf {
            Arguments.nonNull("key", key);
        }
    }

    /**
     * The newest names of a sequence, and its count at the same moment.
     *
     * @param count the count
     * @param names the names, the newest first
     */
    record Newest(long count, List<String> names) {
        /** Copies the list. */
        public Newest {
            names = List.copyOf(Arguments.nonNull("names", names));
        }
    }

    /**
     * A request that is read in one round trip.
     *
     * @param cells owners whose cells are read, all of each
     * @param cellsOf cells that are read one by one
     * @param standings marks that are compared with the sequence and the set of their owners, each at one moment
     * @param members owners whose sets are read as a whole
     * @param lookups members that are looked up
     * @param pages pages of sets
     * @param newest sequences whose newest names are read, each at one moment
     */
    record Wanted(
            List<Owner> cells,
            List<CellKey> cellsOf,
            List<CellKey> standings,
            List<Owner> members,
            List<Lookup> lookups,
            List<PageOf> pages,
            List<NewestOf> newest) {
        /** Refuses null. */
        public Wanted {
            Arguments.nonNull("cells", cells);
            Arguments.nonNull("cellsOf", cellsOf);
            Arguments.nonNull("standings", standings);
            Arguments.nonNull("members", members);
            Arguments.nonNull("lookups", lookups);
            Arguments.nonNull("pages", pages);
            Arguments.nonNull("newest", newest);
        }

        /** A request for nothing. */
        public static final Wanted NOTHING = new Wanted(List.of(), List.of(), List.of(), List.of(), List.of());

        /**
         * A request without pages and newest names.
         *
         * @param cells owners whose cells are read, all of each
         * @param cellsOf cells that are read one by one
         * @param standings marks that are compared with the sequence and the set of their owners, each at one moment
         * @param members owners whose sets are read as a whole
         * @param lookups members that are looked up
         */
        public Wanted(
                List<Owner> cells,
                List<CellKey> cellsOf,
                List<CellKey> standings,
                List<Owner> members,
                List<Lookup> lookups) {
            this(cells, cellsOf, standings, members, lookups, List.of(), List.of());
        }

        /**
         * This request, with the cells of these owners.
         *
         * @param wanted the owners
         * @return the request
         */
        public Wanted withCells(List<Owner> wanted) {
            return new Wanted(wanted, cellsOf, standings, members, lookups, pages, newest);
        }

        /**
         * This request, with these cells.
         *
         * @param wanted the cells
         * @return the request
         */
        public Wanted withCellsOf(List<CellKey> wanted) {
            return new Wanted(cells, wanted, standings, members, lookups, pages, newest);
        }

        /**
         * This request, with the standings of these marks.
         *
         * @param wanted the marks
         * @return the request
         */
        public Wanted withStandings(List<CellKey> wanted) {
            return new Wanted(cells, cellsOf, wanted, members, lookups, pages, newest);
        }

        /**
         * This request, with the sets of these owners.
         *
         * @param wanted the owners
         * @return the request
         */
        public Wanted withMembers(List<Owner> wanted) {
            return new Wanted(cells, cellsOf, standings, wanted, lookups, pages, newest);
        }

        /**
         * This request, with these members.
         *
         * @param wanted the members
         * @return the request
         */
        public Wanted withLookups(List<Lookup> wanted) {
            return new Wanted(cells, cellsOf, standings, members, wanted, pages, newest);
        }

        /**
         * This request, with these pages.
         *
         * @param wanted the pages
         * @return the request
         */
        public Wanted withPages(List<PageOf> wanted) {
            return new Wanted(cells, cellsOf, standings, members, lookups, wanted, newest);
        }

        /**
         * This request, with the newest names of these sequences.
         *
         * @param wanted the sequences
         * @return the request
         */
        public Wanted withNewest(List<NewestOf> wanted) {
            return new Wanted(cells, cellsOf, standings, members, lookups, pages, wanted);
        }
    }

    /**
     * The answer to a {@link Wanted}. Each list has the length and the order of the requested list.
     *
     * @param cells for each owner the cells by name; cells that are {@linkplain Cell#NONE none} may be left out
     * @param cellsOf for each key the cell
     * @param standings for each mark its standing
     * @param members for each owner the members
     * @param lookups for each lookup the members that exist, by name
     * @param pages for each page its members, the highest number first
     * @param newest for each sequence its newest names
     */
    record Found(
            List<Map<String, Cell>> cells,
            List<Cell> cellsOf,
            List<Standing> standings,
            List<List<Member>> members,
            List<Map<String, Member>> lookups,
            List<List<Member>> pages,
            List<Newest> newest) {
        /** Refuses null. */
        public Found {
            Arguments.nonNull("cells", cells);
            Arguments.nonNull("cellsOf", cellsOf);
            Arguments.nonNull("standings", standings);
            Arguments.nonNull("members", members);
            Arguments.nonNull("lookups", lookups);
            Arguments.nonNull("pages", pages);
            Arguments.nonNull("newest", newest);
        }

        /**
         * An answer without pages and newest names.
         *
         * @param cells for each owner the cells by name; cells that are {@linkplain Cell#NONE none} may be left out
         * @param cellsOf for each key the cell
         * @param standings for each mark its standing
         * @param members for each owner the members
         * @param lookups for each lookup the members that exist, by name
         */
        public Found(
                List<Map<String, Cell>> cells,
                List<Cell> cellsOf,
                List<Standing> standings,
                List<List<Member>> members,
                List<Map<String, Member>> lookups) {
            this(cells, cellsOf, standings, members, lookups, List.of(), List.of());
        }
    }

    /**
     * Reads in one round trip. Each standing is read at one moment. Other data of one owner is read at one moment only
     * if the store's documentation says so.
     *
     * @param wanted what to read
     * @return what was found
     */
    Found read(Wanted wanted);

    /** The most owners, cells, standings or members of one read. A call for more of them makes several reads. */
    int AT_ONCE = 1000;

    /**
     * Reads all cells of owners, at most {@value #AT_ONCE} owners at once.
     *
     * @param owners the owners
     * @return for each owner its cells by name
     */
    default List<Map<String, Cell>> cells(List<Owner> owners) {
        return Pieces.of(owners, some -> read(Wanted.NOTHING.withCells(some)).cells());
    }

    /**
     * Reads cells, at most {@value #AT_ONCE} at once.
     *
     * @param keys the cells' keys
     * @return for each key the cell
     */
    default List<Cell> cellsOf(List<CellKey> keys) {
        return Pieces.of(keys, some -> read(Wanted.NOTHING.withCellsOf(some)).cellsOf());
    }

    /**
     * Reads one cell.
     *
     * @param key the cell's key
     * @return the cell
     */
    default Cell cell(CellKey key) {
        return cellsOf(List.of(key)).get(0);
    }

    /**
     * Compares marks with the sequence and the set of their owners, each at one moment, at most {@value #AT_ONCE} at
     * once.
     *
     * @param marks the marks
     * @return for each mark its standing
     */
    default List<Standing> standings(List<CellKey> marks) {
        return Pieces.of(marks, some -> read(Wanted.NOTHING.withStandings(some)).standings());
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
     * Looks up members of a set.
     *
     * @param owner the owner
     * @param members the names of the members
     * @return the members that exist, by name
     */
    default Map<String, Member> membersOf(Owner owner, Collection<String> members) {
        return read(Wanted.NOTHING.withLookups(List.of(new Lookup(owner, members))))
                .lookups()
                .get(0);
    }
}

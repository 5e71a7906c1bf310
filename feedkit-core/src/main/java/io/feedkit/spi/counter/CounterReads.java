package io.feedkit.spi.counter;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Reads of counters, marks and members: the reading half of a {@link CounterStore}. */
public interface CounterReads {

    /**
     * A sequence and a mark under one key.
     *
     * @param count the sum of what was added; {@code 0} if nothing was added
     * @param mark the mark; empty if there is none
     */
    record Cell(long count, OptionalLong mark) {
        /** Neither a sequence nor a mark. */
        public static final Cell NONE = new Cell(0, OptionalLong.empty());
    }

    /**
     * How many members have numbers above a mark, and the count of the sequence.
     *
     * @param cell the sequence {@code ""} of the owner, and the mark
     * @param above the number of members with higher numbers than the mark; {@code 0} without a mark
     */
    record Standing(Cell cell, long above) {}

    /**
     * A request for some members of a set.
     *
     * @param owner the owner
     * @param members the names of the members
     */
    record Lookup(Owner owner, Collection<String> members) {}

    /**
     * A request that is read in one round trip.
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
        /** A request for nothing. */
        public static final Wanted NOTHING = new Wanted(List.of(), List.of(), List.of(), List.of(), List.of());

        /**
         * This request, with the cells of these owners.
         *
         * @param wanted the owners
         * @return the request
         */
        public Wanted withCells(List<Owner> wanted) {
            return new Wanted(wanted, cellsOf, standings, members, lookups);
        }

        /**
         * This request, with these cells.
         *
         * @param wanted the cells
         * @return the request
         */
        public Wanted withCellsOf(List<CellKey> wanted) {
            return new Wanted(cells, wanted, standings, members, lookups);
        }

        /**
         * This request, with the standings of these marks.
         *
         * @param wanted the marks
         * @return the request
         */
        public Wanted withStandings(List<CellKey> wanted) {
            return new Wanted(cells, cellsOf, wanted, members, lookups);
        }

        /**
         * This request, with the sets of these owners.
         *
         * @param wanted the owners
         * @return the request
         */
        public Wanted withMembers(List<Owner> wanted) {
            return new Wanted(cells, cellsOf, standings, wanted, lookups);
        }

        /**
         * This request, with these members.
         *
         * @param wanted the members
         * @return the request
         */
        public Wanted withLookups(List<Lookup> wanted) {
            return new Wanted(cells, cellsOf, standings, members, wanted);
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
     */
    record Found(
            List<Map<String, Cell>> cells,
            List<Cell> cellsOf,
            List<Standing> standings,
            List<List<Member>> members,
            List<Map<String, Member>> lookups) {}

    /**
     * Reads in one round trip. Each standing is read at one moment. Other data of one owner is read at one moment only
     * if the store's documentation says so.
     *
     * @param wanted what to read
     * @return what was found
     */
    Found read(Wanted wanted);

    /**
     * Reads all cells of owners.
     *
     * @param owners the owners
     * @return for each owner its cells by name
     */
    default List<Map<String, Cell>> cells(List<Owner> owners) {
        return read(Wanted.NOTHING.withCells(owners)).cells();
    }

    /**
     * Reads cells.
     *
     * @param keys the cells' keys
     * @return for each key the cell
     */
    default List<Cell> cellsOf(List<CellKey> keys) {
        return read(Wanted.NOTHING.withCellsOf(keys)).cellsOf();
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
     * Compares marks with the sequence and the set of their owners, each at one moment.
     *
     * @param marks the marks
     * @return for each mark its standing
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

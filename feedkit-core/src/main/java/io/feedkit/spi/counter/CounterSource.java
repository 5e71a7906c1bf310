package io.feedkit.spi.counter;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A counter store that a cache may stand in front of, which holds what is not written yet. The store knows for each
 * cell what it has of a cache's changes, so that a change is counted once, whoever writes it how often. Thread-safe.
 */
public interface CounterSource extends CounterStore {

    /**
     * What a cache holds of a cell: what was done to it since the cache came to know it, written or not.
     *
     * @param life names the time since the cache came to know the cell, up to 32 visible ASCII characters; when the
     *     cache lost it, another one begins
     * @param version how often it was claimed to be written in that life. A cache that knows of fewer claims than the
     *     store is a copy that was behind; what it holds counts for nothing
     * @param amount what was added in that life
     * @param mark where the mark is; empty if it was not raised
     * @param creates whether the mark is also there if the store has none
     */
    record Change(String life, long version, long amount, OptionalLong mark, boolean creates) {}

    /**
     * What a cache holds.
     *
     * @param cells what it holds of cells
     * @param members members that it holds, by owner and name; of two with the same name the one with the higher number
     *     counts
     */
    record Held(Map<CellKey, Change> cells, Map<Owner, Map<String, Member>> members) {
        /** Nothing. */
        public static final Held NOTHING = new Held(Map.of(), Map.of());
    }

    /**
     * Reads as {@link #read(Wanted)}, together with what a cache holds. That was read before, and of the same cells and
     * owners.
     *
     * @param wanted what
     * @param held what the cache holds of it
     * @return what was found
     */
    Found read(Wanted wanted, Held held);

    /**
     * Which changes a cell has.
     *
     * @param life of which life, or a name that no life has
     * @param version up to which claim
     * @param amount what of what was added in that life
     */
    record Written(String life, long version, long amount) {
        /** None. */
        public static final Written NONE = new Written("", 0, 0);
    }

    /**
     * Makes places for cells that have none. What a cache holds of a cell is claimed between this and {@link #write}:
     * if the cell was removed before that, it is then not in the cache, and if it was removed afterwards, it has no
     * place, or another.
     *
     * @param keys which cells
     * @return for each which changes it has; never {@link Written#NONE}
     */
    Map<CellKey, Written> open(Collection<CellKey> keys);

    /**
     * What is written of a cell.
     *
     * @param written which changes the cell had when it was opened
     * @param change what the cache held afterwards
     */
    record Late(Written written, Change change) {}

    /**
     * What is written of a set.
     *
     * @param written which changes the owner's cell {@code ""} had when it was opened
     * @param members members that the cache held afterwards
     */
    record LateSet(Written written, List<Member> members) {}

    /**
     * What was written.
     *
     * @param cells the cells that have what the cache held
     * @param sets the owners whose members were written, or had higher numbers
     */
    record Done(Set<CellKey> cells, Set<Owner> sets) {}

    /**
     * Writes what a cache holds of cells that were opened, and of members of sets whose owners' cells {@code ""} were.
     * Idempotent. A cell that was removed or written since it was opened stays as it is, and a member with a number
     * that is not higher than that of one with the same name is left out. A sum beyond 64 bits becomes the nearest
     * number.
     *
     * @param cells what is written of cells
     * @param members members, by owner
     * @return what is written
     */
    Done write(Map<CellKey, Late> cells, Map<Owner, LateSet> members);
}

package io.feedkit.spi.counter;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A counter store behind a cache that may hold changes which are not written yet. For each cell, the store knows which
 * of the cache's changes it has. So each change counts once, even if several threads or processes write it several
 * times. Thread-safe.
 */
public interface CounterSource extends CounterStore {

    /**
     * A cache's changes of one cell: all changes since the cache first saw the cell, written or not.
     *
     * @param life a name for the time since the cache first saw the cell, up to 32 visible ASCII characters; if the
     *     cache loses the cell, a new life begins
     * @param version how often the cell was claimed for writing in that life. A cache with fewer claims than the store
     *     is an outdated copy, and its changes do not count
     * @param amount the sum of what was added in that life
     * @param mark the mark; empty if it was not raised
     * @param creates whether the mark exists even if the store has none
     */
    record Change(String life, long version, long amount, OptionalLong mark, boolean creates) {}

    /**
     * The content of a cache.
     *
     * @param cells the changes of cells
     * @param members the members of sets, by owner and name; of two members with the same name, the one with the higher
     *     number counts
     */
    record Held(Map<CellKey, Change> cells, Map<Owner, Map<String, Member>> members) {
        /** Nothing. */
        public static final Held NOTHING = new Held(Map.of(), Map.of());
    }

    /**
     * Reads as {@link #read(Wanted)}, and includes a cache's content. The cache was read before this call, for the same
     * cells and owners.
     *
     * @param wanted what to read
     * @param held the cache's content for it
     * @return what was found
     */
    Found read(Wanted wanted, Held held);

    /**
     * The changes that a cell of the store has.
     *
     * @param life the life of these changes, or a name that no life has
     * @param version the claim up to which the cell has them
     * @param amount how much of the sum of that life the cell has
     */
    record Written(String life, long version, long amount) {
        /** None. */
        public static final Written NONE = new Written("", 0, 0);
    }

    /**
     * Creates places for cells that have none. The cache's changes of a cell are claimed between this call and
     * {@link #write}. If the cell was removed before the claim, it is not in the cache then. If it was removed after
     * the claim, it has no place, or a different one.
     *
     * @param keys the cells' keys
     * @return for each cell the changes that it has; never {@link Written#NONE}
     */
    Map<CellKey, Written> open(Collection<CellKey> keys);

    /**
     * The changes to write to one cell.
     *
     * @param written the changes that the cell had when it was opened
     * @param change the changes that the cache held afterwards
     */
    record Late(Written written, Change change) {}

    /**
     * The members to write to one set.
     *
     * @param written the changes that the owner's cell {@code ""} had when it was opened
     * @param members the members that the cache held afterwards
     */
    record LateSet(Written written, List<Member> members) {}

    /**
     * The outcome of {@link #write}.
     *
     * @param cells the cells that have the cache's changes now
     * @param sets the owners whose members were written, or had higher numbers
     */
    record Done(Set<CellKey> cells, Set<Owner> sets) {}

    /**
     * Writes a cache's changes to opened cells, and its members to sets whose owners' cells {@code ""} were opened.
     * Idempotent. A cell that was removed or written since it was opened stays as it is. A member is left out if the
     * set has a member of the same name with a number at least as high. A sum beyond 64 bits becomes the nearest
     * number.
     *
     * @param cells the changes to write to cells
     * @param members the members to write, by owner
     * @return what was written
     */
    Done write(Map<CellKey, Late> cells, Map<Owner, LateSet> members);
}

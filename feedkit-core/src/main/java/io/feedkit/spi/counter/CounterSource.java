package io.feedkit.spi.counter;

import io.feedkit.Beta;
import io.feedkit.PublishTransaction;
import io.feedkit.internal.check.Arguments;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A counter store behind a cache. The cache may hold changes that are not written yet. For each cell, the store knows
 * which of the cache's changes it already has. So each change counts once, even if several threads or processes write
 * it several times. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public interface CounterSource extends CounterStore {

    /**
     * Names this source of truth, as {@link io.feedkit.spi.Outbox#identity()} does. An outbox in the same tables has
     * the same identity.
     *
     * @return 1 to 64 characters a-z, A-Z, 0-9, {@code -} and {@code _}
     * @throws io.feedkit.StoreUnavailableException if this object has no answer yet, and the store cannot be reached
     */
    String identity();

    /**
     * This source in a transaction of the host; refused by default, like {@link CounterStore#joining}.
     *
     * @param transaction the host's transaction
     * @return the source for the thread and the duration of the transaction
     */
    @Override
    default CounterSource joining(PublishTransaction transaction) {
        throw new IllegalArgumentException("transaction must be one that the counters can join, but "
                + getClass().getSimpleName() + " cannot join transactions");
    }

    /**
     * The amount that a cache added to a cell during one life of the cell in the cache. A life begins when the cache
     * first sees the cell. A new life begins when the cache has lost the cell, or when the cache may be an outdated
     * copy of itself. Nothing is added to an earlier life.
     *
     * @param name the name of the life, up to 32 visible ASCII characters without commas
     * @param version how often the cell was claimed for writing in that life. A life with fewer claims than the store
     *     has recorded is an outdated copy, and does not count
     * @param amount the sum of the additions in that life, written or not
     */
    record Life(String name, long version, long amount) {
        /** Refuses null. */
        public Life {
            Arguments.nonNull("name", name);
        }
    }

    /**
     * A cache's changes of one cell.
     *
     * @param life the present life
     * @param earlier the earlier lives that may not be written yet, the oldest first; fewer than
     *     {@value Written#EARLIER}
     * @param mark the mark; empty if it was not raised
     * @param creates whether the mark exists even if the store has none
     */
    record Change(Life life, List<Life> earlier, OptionalLong mark, boolean creates) {
        /** Copies the list. */
        public Change {
            Arguments.nonNull("life", life);
            Arguments.nonNull("mark", mark);
            earlier = List.copyOf(Arguments.nonNull("earlier", earlier));
        }
    }

    /**
     * The content of a cache.
     *
     * @param cells the changes of cells
     * @param members the members of sets, by owner and name; of two members with the same name, the one with the higher
     *     number counts
     */
    record Held(Map<CellKey, Change> cells, Map<Owner, Map<String, Member>> members) {
        /** Refuses null. */
        public Held {
            Arguments.nonNull("cells", cells);
            Arguments.nonNull("members", members);
        }

        /** An empty cache. */
        public static final Held NOTHING = new Held(Map.of(), Map.of());
    }

    /**
     * Reads like {@link #read(Wanted)}, and includes a cache's content. The cache was read before this call, for the
     * same cells and owners.
     *
     * @param wanted what to read
     * @param held the cache's content for it
     * @return what was found
     */
    Found read(Wanted wanted, Held held);

    /**
     * The changes that a cell of the store has.
     *
     * @param life the life that was written last, with the claims and the amount that the cell has of it; if there is
     *     none, one with a name that no life has
     * @param earlier the names of lives that the cell has, or that do not count any more, the latest first; at least
     *     the latest {@value #EARLIER}
     */
    record Written(Life life, List<String> earlier) {
        /** How many earlier lives a store knows at least. */
        public static final int EARLIER = 128;

        /** No changes. */
        public static final Written NONE = new Written(new Life("", 0, 0), List.of());

        /** Copies the list. */
        public Written {
            Arguments.nonNull("life", life);
            earlier = List.copyOf(Arguments.nonNull("earlier", earlier));
        }
    }

    /**
     * Creates places for cells that have none. The caller claims the cache's changes of a cell between this call and
     * {@link #write}. If the cell was removed before the claim, the claim does not find it in the cache. If it was
     * removed after the claim, {@link #write} finds no place for it, or a different one.
     *
     * @param keys the cells' keys
     * @return for each cell the changes that it has; never {@link Written#NONE}
     */
    Map<CellKey, Written> open(Collection<CellKey> keys);

    /**
     * The changes to write to one cell.
     *
     * @param written the changes that the cell had when it was opened
     * @param change the changes that the cache held afterwards; its present life is none of the cell's earlier ones
     */
    record Late(Written written, Change change) {
        /** Refuses null. */
        public Late {
            Arguments.nonNull("written", written);
            Arguments.nonNull("change", change);
        }
    }

    /**
     * The members to write to one set.
     *
     * @param written the changes that the owner's cell {@code ""} had when it was opened
     * @param members the members that the cache held afterwards
     */
    record LateSet(Written written, List<Member> members) {
        /** Refuses null. */
        public LateSet {
            Arguments.nonNull("written", written);
            Arguments.nonNull("members", members);
        }
    }

    /**
     * The outcome of {@link #write}.
     *
     * @param cells the cells that now have the cache's changes
     * @param sets the owners whose members were written, or had higher numbers
     */
    record Done(Set<CellKey> cells, Set<Owner> sets) {
        /** Refuses null. */
        public Done {
            Arguments.nonNull("cells", cells);
            Arguments.nonNull("sets", sets);
        }
    }

    /**
     * Writes a cache's changes to opened cells, and its members to sets whose owners' cells {@code ""} were opened.
     * Idempotent. A cell that was removed or written since it was opened stays as it is. A member is not written if the
     * set has a member of the same name with a number at least as high. A sum beyond 64 bits becomes the nearest
     * number.
     *
     * @param cells the changes to write to cells
     * @param members the members to write, by owner
     * @return what was written
     */
    Done write(Map<CellKey, Late> cells, Map<Owner, LateSet> members);

    /**
     * Records that owners are in use, because the cache answered a write that changed nothing. A source that deletes
     * the data of idle users keeps the data of these owners as long as after a write. Idempotent.
     *
     * @param owners the owners, who have data
     */
    void renew(Collection<Owner> owners);
}

package io.feedkit.jdbc.internal.counter;

import io.feedkit.spi.CounterStore.Add;
import io.feedkit.spi.CounterStore.Cell;
import io.feedkit.spi.CounterStore.CellKey;
import io.feedkit.spi.CounterStore.Raise;
import io.feedkit.spi.CounterStore.When;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which cells a step needs, told by those that are there: what is refused for a mark that is missing needs none, and so leaves no rows of zeros. */
final class RequiredCells {

    private RequiredCells() {}

    /** The mark that has to be there for an add. */
    static Optional<CellKey> mark(Add add) {
        return add.marked().map(name -> new CellKey(add.key().owner(), name));
    }

    /** The cells of the adds whose marks are there. */
    static Set<CellKey> toAdd(List<Add> adds, Map<CellKey, Cell> there) {
        Set<CellKey> needed = new HashSet<>();
        for (Add add : adds) {
            Optional<CellKey> mark = mark(add);
            if (mark.isEmpty() || hasMark(there, mark.get())) {
                needed.add(add.key());
                mark.ifPresent(needed::add);
            }
        }
        return needed;
    }

    private static boolean hasMark(Map<CellKey, Cell> there, CellKey key) {
        return there.getOrDefault(key, Cell.NONE).mark().isPresent();
    }

    static void addKeys(Set<CellKey> keys, Raise raise) {
        keys.add(raise.key());
        raise.sequence().ifPresent(name -> keys.add(new CellKey(raise.key().owner(), name)));
    }

    /** The cells of the marks that are there, or may be made. */
    static Set<CellKey> toRaise(List<Raise> raises, Map<CellKey, Cell> there) {
        Set<CellKey> made = new HashSet<>();
        for (Raise raise : raises) {
            if (raise.when() != When.PRESENT) {
                made.add(raise.key());
            }
        }
        Set<CellKey> needed = new HashSet<>();
        for (Raise raise : raises) {
            if (made.contains(raise.key()) || hasMark(there, raise.key())) {
                addKeys(needed, raise);
            }
        }
        return needed;
    }
}

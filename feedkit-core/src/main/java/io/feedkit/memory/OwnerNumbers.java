package io.feedkit.memory;

import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.Member;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** All data of one owner; used by one thread at a time. */
final class OwnerNumbers {
    final Map<String, Cell> cells = new TreeMap<>();
    final Map<String, Member> members = new HashMap<>();
    /** When each operation was done, the oldest first. */
    final Map<Done, Long> operations = new LinkedHashMap<>();

    record Done(String name, String operation) {}

    /** When each open ticket was opened. */
    final Map<Long, Long> tickets = new LinkedHashMap<>();

    Cell cell(String name) {
        return cells.getOrDefault(name, Cell.NONE);
    }

    /** Takes the next number of the sequence without a name. */
    long next() {
        Cell cell = cell("");
        cells.put("", new Cell(cell.count() + 1, cell.mark()));
        return cell.count() + 1;
    }

    boolean isEmpty() {
        return cells.isEmpty() && members.isEmpty() && operations.isEmpty() && tickets.isEmpty();
    }

    void forgetBefore(long time) {
        forgetBefore(operations, time);
        forgetBefore(tickets, time);
    }

    /** Removes old entries from the beginning of a map that holds the oldest first. */
    private static void forgetBefore(Map<?, Long> since, long time) {
        Iterator<Long> oldest = since.values().iterator();
        while (oldest.hasNext() && oldest.next() <= time) {
            oldest.remove();
        }
    }
}

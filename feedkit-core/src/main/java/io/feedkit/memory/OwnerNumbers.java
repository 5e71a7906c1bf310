package io.feedkit.memory;

import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterReads.Newest;
import io.feedkit.spi.counter.CounterReads.NewestOf;
import io.feedkit.spi.counter.CounterReads.PageOf;
import io.feedkit.spi.counter.CounterWrites.Counted;
import io.feedkit.spi.counter.CounterWrites.Listing;
import io.feedkit.spi.counter.Member;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All data of one owner; used by one thread at a time. */
final class OwnerNumbers {
    final Map<String, Cell> cells = new TreeMap<>();
    final Map<String, Member> members = new HashMap<>();
    final Map<Done, Operation> operations = new HashMap<>();
    /** The expiry time of each open ticket. */
    final Map<Long, Long> tickets = new HashMap<>();

    /** When something was written last, if the owner's data expire. */
    long usedAt;

    /** When the owner's data may expire; null if they do not. */
    InMemoryCounterStore.@Nullable Expiry expiry;

    /** The newest names of each sequence, the oldest first. */
    private final Map<String, Set<String>> newest = new HashMap<>();

    /** Names an operation on a sequence. */
    record Done(String name, String id) {}

    /**
     * An operation.
     *
     * @param until when it expires
     * @param end the count after its addition
     * @param amount what it added; {@code 0} if there is nothing to retract
     */
    record Operation(long until, long end, long amount) {

        Operation retracted() {
            return new Operation(until, end, 0);
        }
    }

    Cell cell(String name) {
        return cells.getOrDefault(name, Cell.NONE);
    }

    /** Takes the next number of the sequence without a name. */
    long next() {
        Cell cell = cell("");
        cells.put("", cell.withCount(cell.count() + 1));
        return cell.count() + 1;
    }

    boolean isRemembered(Done done, long now) {
        Operation operation = operations.get(done);
        return operation != null && operation.until() > now;
    }

    /** Puts a name into the list of a sequence's newest names, or removes it. */
    void list(Counted counted, Listing listing) {
        Set<String> names = newest.computeIfAbsent(counted.name(), none -> new LinkedHashSet<>());
        names.remove(listing.name());
        if (counted.amount() > 0) {
            names.add(listing.name());
        }
        Iterator<String> oldest = names.iterator();
        for (int surplus = counted.amount() > 0 ? names.size() - listing.kept() : 0; surplus > 0; surplus--) {
            oldest.next();
            oldest.remove();
        }
        if (names.isEmpty()) {
            newest.remove(counted.name());
        }
    }

    Newest newest(NewestOf wanted) {
        List<String> names = new ArrayList<>(newest.getOrDefault(wanted.key().name(), Set.of()));
        Collections.reverse(names);
        return new Newest(cell(wanted.key().name()).count(), names.subList(0, Math.min(wanted.limit(), names.size())));
    }

    List<Member> page(PageOf page) {
        return members.values().stream()
                .filter(member -> member.name().startsWith(page.prefix()) && member.number() < page.below())
                .sorted(Comparator.comparingLong(Member::number).reversed())
                .limit(page.limit())
                .toList();
    }

    void removeCell(String name) {
        cells.remove(name);
        newest.remove(name);
        operations.replaceAll((done, operation) -> done.name().equals(name) ? operation.retracted() : operation);
    }

    void forget() {
        cells.clear();
        members.clear();
        newest.clear();
        operations.replaceAll((done, operation) -> operation.retracted());
    }

    boolean isEmpty() {
        return cells.isEmpty() && members.isEmpty() && newest.isEmpty() && operations.isEmpty() && tickets.isEmpty();
    }
}

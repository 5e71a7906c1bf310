package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.counter.MemberTable.MemberKey;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterSource.LateSet;
import io.feedkit.spi.counter.CounterWrites.Put;
import io.feedkit.spi.counter.CounterWrites.Settlement;
import io.feedkit.spi.counter.CounterWrites.Turn;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Changes sets, each under the lock of its owner's cell {@code ""}. */
final class MemberWrites {

    private final CellTable cells;
    private final MemberTable members;
    private final WriteBehindTable writeBehind;

    MemberWrites(CellTable cells, MemberTable members, WriteBehindTable writeBehind) {
        this.cells = cells;
        this.members = members;
        this.writeBehind = writeBehind;
    }

    List<OptionalLong> put(Handle handle, List<Put> puts) {
        Map<CellKey, Cell> locked = cells.lock(
                handle, puts.stream().map(put -> CellTable.set(put.owner())).toList());
        Map<MemberKey, Member> before = members.readLocked(
                handle,
                puts.stream()
                        .map(put -> new MemberKey(put.owner(), put.member()))
                        .toList());
        Map<MemberKey, Member> changed = new HashMap<>();
        Map<CellKey, Cell> counted = new HashMap<>();
        List<OptionalLong> answers = new ArrayList<>(puts.size());
        for (Put put : puts) {
            MemberKey key = new MemberKey(put.owner(), put.member());
            Optional<Member> member = current(key, changed, before);
            if (member.isPresent() && !put.takesPlaceOf(member.get())) {
                answers.add(OptionalLong.empty());
                continue;
            }
            CellKey sequence = CellTable.set(put.owner());
            Cell cell = counted.getOrDefault(sequence, locked.getOrDefault(sequence, Cell.NONE));
            long number = put.number().orElse(cell.count() + 1);
            if (put.number().isEmpty()) {
                counted.put(sequence, cell.withCount(number));
            }
            changed.put(key, new Member(put.member(), put.label(), number, true));
            answers.add(OptionalLong.of(number));
        }
        cells.write(handle, counted);
        members.write(handle, changed, before.keySet());
        return answers;
    }

    private static Optional<Member> current(
            MemberKey key, Map<MemberKey, Member> changed, Map<MemberKey, Member> before) {
        return Optional.ofNullable(changed.get(key)).or(() -> Optional.ofNullable(before.get(key)));
    }

    List<Optional<Member>> turn(Handle handle, List<Turn> turns) {
        cells.lock(
                handle, turns.stream().map(turn -> CellTable.set(turn.owner())).toList());
        Map<MemberKey, Member> before = members.readLocked(
                handle,
                turns.stream()
                        .map(turn -> new MemberKey(turn.owner(), turn.member()))
                        .toList());
        Map<MemberKey, Member> changed = new HashMap<>();
        List<Optional<Member>> answers = new ArrayList<>(turns.size());
        for (Turn turn : turns) {
            MemberKey key = new MemberKey(turn.owner(), turn.member());
            Optional<Member> member = current(key, changed, before);
            boolean settled = member.map(Member::settled).orElse(true);
            if (settled && member.map(Member::label).equals(turn.from())) {
                Member turned = new Member(turn.member(), turn.to(), turn.ticket(), false);
                changed.put(key, turned);
                answers.add(Optional.of(turned));
            } else {
                answers.add(member);
            }
        }
        members.write(handle, changed, before.keySet());
        return answers;
    }

    void settle(Handle handle, List<Settlement> settlements) {
        Map<MemberKey, Member> found =
                lockExisting(handle, settlements.stream().map(MemberWrites::key).toList());
        Map<MemberKey, Member> changed = new HashMap<>();
        Set<MemberKey> removed = new HashSet<>();
        for (Settlement settlement : settlements) {
            MemberKey key = key(settlement);
            Member member = found.get(key);
            if (member == null || member.number() != settlement.member().number()) {
                continue;
            }
            if (settlement.label().isEmpty()) {
                removed.add(key);
            } else {
                changed.put(key, new Member(member.name(), settlement.label().get(), member.number(), true));
            }
        }
        changed.keySet().removeAll(removed);
        members.write(handle, changed, found.keySet());
        remove(handle, removed);
    }

    private static MemberKey key(Settlement settlement) {
        return new MemberKey(settlement.owner(), settlement.member().name());
    }

    List<Boolean> remove(Handle handle, Owner owner, List<String> names) {
        List<MemberKey> keys =
                names.stream().map(name -> new MemberKey(owner, name)).toList();
        Set<MemberKey> found = new HashSet<>(lockExisting(handle, keys).keySet());
        remove(handle, found);
        return keys.stream().map(found::remove).toList();
    }

    void relabel(Handle handle, Owner owner, String member, String label) {
        MemberKey key = new MemberKey(owner, member);
        Member found = lockExisting(handle, List.of(key)).get(key);
        if (found != null) {
            Member relabelled = new Member(member, label, found.number(), found.settled());
            members.write(handle, Map.of(key, relabelled), Set.of(key));
        }
    }

    /**
     * Writes a cache's members, unless the store has higher numbers. Returns the owners whose sets are still as the
     * cache opened them.
     */
    Set<Owner> writeNewer(Handle handle, Map<Owner, LateSet> changed) {
        Map<CellKey, WriteBehindTable.Row> locked = writeBehind.lock(
                handle, changed.keySet().stream().map(CellTable::set).toList());
        Map<MemberKey, Member> newer = new HashMap<>();
        Set<Owner> written = new HashSet<>();
        changed.forEach((owner, set) -> {
            WriteBehindTable.Row row = locked.get(CellTable.set(owner));
            if (row != null && row.written().equals(set.written())) {
                written.add(owner);
                set.members().forEach(member -> newer.put(new MemberKey(owner, member.name()), member));
            }
        });
        Map<MemberKey, Member> found = members.readLocked(handle, newer.keySet());
        found.forEach((key, member) ->
                newer.computeIfPresent(key, (same, held) -> held.number() > member.number() ? held : null));
        members.write(handle, newer, found.keySet());
        return written;
    }

    /** Locks the sets of those members that exist, and returns the members. Creates no cells for the others. */
    private Map<MemberKey, Member> lockExisting(Handle handle, List<MemberKey> keys) {
        Set<CellKey> locked = cells.lockRequired(
                        handle, keys.stream().map(MemberKey::set).toList(), found -> required(handle, keys, found))
                .keySet();
        List<MemberKey> existing =
                keys.stream().filter(key -> locked.contains(key.set())).toList();
        return existing.isEmpty() ? Map.of() : members.readLocked(handle, existing);
    }

    private Set<CellKey> required(Handle handle, List<MemberKey> keys, Map<CellKey, Cell> found) {
        Set<CellKey> required = new HashSet<>(found.keySet());
        List<MemberKey> others =
                keys.stream().filter(key -> !found.containsKey(key.set())).toList();
        if (!others.isEmpty()) {
            members.readLocked(handle, others).keySet().forEach(key -> required.add(key.set()));
        }
        return required;
    }

    /**
     * Removes members, and the cell that locked the owner's set if the set is now empty. The cell of a set of views
     * stays, since a cache may have members for the set.
     */
    private void remove(Handle handle, Set<MemberKey> removed) {
        members.remove(handle, removed);
        cells.removeUnused(
                handle,
                removed.stream()
                        .map(MemberKey::set)
                        .filter(set -> set.owner().space() != Space.VIEWS)
                        .toList());
    }
}

package io.feedkit.redis.internal.writebehind;

import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Counters in a transaction of the host's. All changes go to the source, because cached changes cannot be rolled back.
 * A mark that is raised up to its sequence must include the cached additions, so these are written in the transaction
 * first. Redis keeps them. If the transaction is committed, the row records that it has them.
 *
 * @param joined the source in the transaction
 * @param reader reads the cached changes
 * @param flusher writes the cached changes
 */
record JoinedCounters(CounterSource joined, CachedChangeReader reader, ChangeFlusher flusher) implements CounterStore {

    @Override
    public Optional<Duration> viewsKept() {
        return joined.viewsKept();
    }

    @Override
    public List<Added> add(List<Add> adds) {
        return joined.add(adds);
    }

    @Override
    public void retract(List<Retraction> retractions) {
        joined.retract(retractions);
    }

    @Override
    public List<Raised> raise(List<Raise> raises) {
        List<CellKey> keys = new ArrayList<>();
        for (Raise raise : raises) {
            keys.add(raise.key());
            raise.sequence().ifPresent(name -> keys.add(new CellKey(raise.key().owner(), name)));
        }
        flusher.write(
                reader.read(Wanted.NOTHING.withCellsOf(keys), WriteBehindCounters::mayBePending)
                        .held()
                        .cells()
                        .keySet(),
                joined);
        return joined.raise(raises);
    }

    @Override
    public void removeCells(Collection<CellKey> keys) {
        joined.removeCells(keys);
    }

    @Override
    public List<OptionalLong> put(List<Put> puts) {
        if (puts.stream().anyMatch(put -> put.behind() && WriteBehindCounters.mayBePending(put.owner()))) {
            throw refused("Views cannot be added");
        }
        return joined.put(puts);
    }

    @Override
    public List<Long> openTickets(List<Owner> owners) {
        return joined.openTickets(owners);
    }

    @Override
    public List<Boolean> redeem(List<Redemption> redemptions) {
        return joined.redeem(redemptions);
    }

    @Override
    public List<Optional<Member>> turn(List<Turn> turns) {
        return joined.turn(turns);
    }

    @Override
    public void settle(List<Settlement> turns) {
        joined.settle(turns);
    }

    @Override
    public List<Boolean> removeMembers(Owner owner, List<String> members) {
        return joined.removeMembers(owner, members);
    }

    @Override
    public void relabel(Owner owner, String member, String label) {
        joined.relabel(owner, member, label);
    }

    @Override
    public Found read(Wanted wanted) {
        return joined.read(wanted, reader.heldIfReachable(wanted, WriteBehindCounters::mayBePending));
    }

    @Override
    public void forget(Collection<Owner> owners) {
        if (owners.stream().anyMatch(WriteBehindCounters::mayBePending)) {
            throw refused("Numbers of a user cannot be forgotten");
        }
        joined.forget(owners);
    }

    private static UnsupportedOperationException refused(String what) {
        return new UnsupportedOperationException(
                what + " in a transaction behind Redis: call the WriteBehindCounterStore itself after the commit");
    }
}

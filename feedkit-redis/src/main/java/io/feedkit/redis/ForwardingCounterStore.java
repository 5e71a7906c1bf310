package io.feedkit.redis;

import io.feedkit.redis.internal.start.StartedLink;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A counter store that delegates every call to an internal store. It owns the link to the servers. */
abstract class ForwardingCounterStore implements CounterStore, AutoCloseable {

    private final StartedLink started;
    private final CounterStore counters;

    ForwardingCounterStore(StartedLink started, CounterStore counters) {
        this.started = started;
        this.counters = counters;
    }

    @Override
    public Optional<Duration> viewsKept() {
        return counters.viewsKept();
    }

    @Override
    public List<Added> add(List<Add> adds) {
        return counters.add(adds);
    }

    @Override
    public void retract(List<Retraction> retractions) {
        counters.retract(retractions);
    }

    @Override
    public List<Raised> raise(List<Raise> raises) {
        return counters.raise(raises);
    }

    @Override
    public void removeCells(Collection<CellKey> keys) {
        counters.removeCells(keys);
    }

    @Override
    public List<OptionalLong> put(List<Put> puts) {
        return counters.put(puts);
    }

    @Override
    public List<Long> openTickets(List<Owner> owners) {
        return counters.openTickets(owners);
    }

    @Override
    public List<Boolean> redeem(List<Redemption> redemptions) {
        return counters.redeem(redemptions);
    }

    @Override
    public List<Optional<Member>> turn(List<Turn> turns) {
        return counters.turn(turns);
    }

    @Override
    public void settle(List<Settlement> turns) {
        counters.settle(turns);
    }

    @Override
    public List<Boolean> removeMembers(Owner owner, List<String> members) {
        return counters.removeMembers(owner, members);
    }

    @Override
    public void relabel(Owner owner, String member, String label) {
        counters.relabel(owner, member, label);
    }

    @Override
    public Found read(Wanted wanted) {
        return counters.read(wanted);
    }

    @Override
    public void forget(Collection<Owner> owners) {
        counters.forget(owners);
    }

    /**
     * Returns the warnings of the check at start: settings of the servers that should be changed, or that could not be
     * checked. They were logged as well.
     *
     * @return a sentence for each warning, with the reason, what to do, and the servers; empty if there are none, or if
     *     the servers were not reached yet
     */
    public List<String> warnings() {
        return started.warnings().get();
    }

    /** Closes the connections, and the client and its threads unless they are the host's. Idempotent. */
    @Override
    public void close() {
        started.link().close();
    }

    @Override
    public String toString() {
        return getClass().getSimpleName();
    }
}

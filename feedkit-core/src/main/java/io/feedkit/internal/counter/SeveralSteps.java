package io.feedkit.internal.counter;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A view of a counter store for one call that takes several steps. If a step fails after an earlier step may have
 * changed something, the outcome of the call is unknown, even if the failed step did nothing. For one thread.
 */
public final class SeveralSteps implements CounterStore {

    private final CounterStore store;
    private boolean changed;

    private SeveralSteps(CounterStore store) {
        this.store = store;
    }

    /**
     * Runs a call that takes its steps on the view of the store that is passed to it.
     *
     * @throws StoreUnavailableException if no step changed anything
     * @throws OutcomeUnknownException if a step failed after another one changed something
     */
    public static <T> T call(String operation, CounterStore store, Function<CounterStore, T> call) {
        SeveralSteps steps = new SeveralSteps(store);
        try {
            return call.apply(steps);
        } catch (StoreUnavailableException e) {
            throw steps.changed ? new OutcomeUnknownException(operation, e) : e;
        }
    }

    /** Runs a call as {@link #call} does, without an answer. */
    public static void run(String operation, CounterStore store, Consumer<CounterStore> call) {
        Boolean unused = call(operation, store, steps -> {
            call.accept(steps);
            return true;
        });
    }

    private <T> T change(Collection<?> request, T answer) {
        changed |= !request.isEmpty();
        return answer;
    }

    @Override
    public Optional<Duration> viewsKept() {
        return store.viewsKept();
    }

    @Override
    public Found read(Wanted wanted) {
        return store.read(wanted);
    }

    /** A ticket that is not redeemed changes nothing. */
    @Override
    public List<Long> openTickets(List<Owner> owners) {
        return store.openTickets(owners);
    }

    @Override
    public List<Added> add(List<Add> adds) {
        return change(adds, store.add(adds));
    }

    @Override
    public void retract(List<Retraction> retractions) {
        store.retract(retractions);
        changed |= !retractions.isEmpty();
    }

    @Override
    public List<Raised> raise(List<Raise> raises) {
        return change(raises, store.raise(raises));
    }

    @Override
    public void removeCells(Collection<CellKey> keys) {
        store.removeCells(keys);
        changed |= !keys.isEmpty();
    }

    @Override
    public List<OptionalLong> put(List<Put> puts) {
        return change(puts, store.put(puts));
    }

    @Override
    public List<Boolean> redeem(List<Redemption> redemptions) {
        return change(redemptions, store.redeem(redemptions));
    }

    @Override
    public List<Optional<Member>> turn(List<Turn> turns) {
        return change(turns, store.turn(turns));
    }

    @Override
    public void settle(List<Settlement> turns) {
        store.settle(turns);
        changed |= !turns.isEmpty();
    }

    @Override
    public List<Boolean> removeMembers(Owner owner, List<String> members) {
        return change(members, store.removeMembers(owner, members));
    }

    @Override
    public void relabel(Owner owner, String member, String label) {
        store.relabel(owner, member, label);
        changed = true;
    }

    @Override
    public void forget(Collection<Owner> owners) {
        store.forget(owners);
        changed |= !owners.isEmpty();
    }
}

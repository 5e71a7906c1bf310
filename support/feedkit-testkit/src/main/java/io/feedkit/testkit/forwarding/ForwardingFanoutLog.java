package io.feedkit.testkit.forwarding;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.PulledRegister;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * A fan-out log that passes every call on. Implement {@link #delegate()} and override the calls that should behave
 * differently: a fault, a count, a delay.
 *
 * @since 0.1.0
 */
public interface ForwardingFanoutLog extends FanoutLog {

    /**
     * The target of the calls.
     *
     * @return the decorated part
     */
    FanoutLog delegate();

    @Override
    default List<Claim> claim(int max, long leaseMillis) {
        return delegate().claim(max, leaseMillis);
    }

    @Override
    default List<LentTask> lend(int max, long loanMillis, int window) {
        return delegate().lend(max, loanMillis, window);
    }

    @Override
    default List<Optional<Claim>> take(List<Loan> loans, long leaseMillis) {
        return delegate().take(loans, leaseMillis);
    }

    @Override
    default List<Boolean> returnLoans(List<Loan> loans) {
        return delegate().returnLoans(loans);
    }

    @Override
    default List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
        return delegate().checkpoint(progress, leaseMillis);
    }

    @Override
    default List<Boolean> release(List<Release> releases) {
        return delegate().release(releases);
    }

    @Override
    default List<Boolean> finish(List<Claim> claims, long retainMillis) {
        return delegate().finish(claims, retainMillis);
    }

    @Override
    default List<Boolean> fail(List<Failure> failures) {
        return delegate().fail(failures);
    }

    @Override
    default List<Boolean> postpone(List<Postponement> postponements) {
        return delegate().postpone(postponements);
    }

    @Override
    default int hasten(int most) {
        return delegate().hasten(most);
    }

    @Override
    default boolean moveToDeadLetters(Claim claim, int attempts, String reason) {
        return delegate().moveToDeadLetters(claim, attempts, reason);
    }

    @Override
    default boolean split(Claim claim, List<KeyRange> ranges) {
        return delegate().split(claim, ranges);
    }

    @Override
    default boolean retractLater(Claim claim, long delayMillis) {
        return delegate().retractLater(claim, delayMillis);
    }

    @Override
    default boolean catchUp(String author, PulledRegister.Entry entry) {
        return delegate().catchUp(author, entry);
    }

    @Override
    default QueueStatus queueStatus() {
        return delegate().queueStatus();
    }

    @Override
    default long invisibleSince() {
        return delegate().invisibleSince();
    }

    @Override
    default Found find(String author, int among) {
        return delegate().find(author, among);
    }

    @Override
    default List<Dead> dead(String after, int limit) {
        return delegate().dead(after, limit);
    }

    @Override
    default int replay(Collection<String> ids) {
        return delegate().replay(ids);
    }

    @Override
    default int discard(Collection<String> ids) {
        return delegate().discard(ids);
    }

    @Override
    default OptionalInt restart(long loss, long finishedSince) {
        return delegate().restart(loss, finishedSince);
    }

    @Override
    default Map<Kind, Long> unfinishedByKind() {
        return delegate().unfinishedByKind();
    }

    @Override
    default boolean canLend() {
        return delegate().canLend();
    }

    @Override
    default String policyInUse() {
        return delegate().policyInUse();
    }

    @Override
    default void usePolicy(String name) {
        delegate().usePolicy(name);
    }

    @Override
    default long latestLoss() {
        return delegate().latestLoss();
    }

    @Override
    default Watch watch(Runnable wakeUp) {
        return delegate().watch(wakeUp);
    }

    @Override
    default void forEachUnfinished(Predicate<List<Task>> visitor) {
        delegate().forEachUnfinished(visitor);
    }
}

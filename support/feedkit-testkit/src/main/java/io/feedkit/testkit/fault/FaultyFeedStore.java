package io.feedkit.testkit.fault;

import io.feedkit.internal.check.Arguments;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import io.feedkit.testkit.internal.Interception;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A store whose calls fail on demand. It represents one process's connection to a shared store: give each engine its
 * own, around the same store. After a {@linkplain Fault#isCrash crash}, the process is dead: every later call through
 * this store throws {@link ProcessCrash}, while other connections still work.
 *
 * <p>Calls are numbered in their order. Calls that write (the <i>effects</i>) also have numbers of their own.
 * {@link Inbox#slice} counts as a read, though it may renew a live window. To fail at every effect in turn, run once
 * and take {@link #effects()}, then run again for each number:
 *
 * <pre>{@code
 * FaultyFeedStore store = FaultyFeedStore.around(shared);
 * store.failAtEffect(n, Fault.CRASH_AFTER);
 * FeedEngine engine = FeedEngine.builder(store).workers(0).build();
 * }</pre>
 *
 * <p>Hooks run other code between two calls, on the calling thread, so that interleavings are repeatable. Calls in a
 * transaction count as well. Thread-safe, if the hooks are.
 *
 * @since 0.1.0
 */
public final class FaultyFeedStore implements FeedStore {

    private final Connection connection = new Connection();
    private final FeedStore store;

    private FaultyFeedStore(FeedStore delegate) {
        store = new Interception(delegate, connection::call);
    }

    /**
     * Opens another connection to a store.
     *
     * @param store the shared store
     * @return a store that passes every call on until a fault or hook is set
     */
    public static FaultyFeedStore around(FeedStore store) {
        return new FaultyFeedStore(Arguments.nonNull("store", store));
    }

    /**
     * Returns how many effects there were, failed ones included.
     *
     * @return the number of the latest effect
     */
    public int effects() {
        return connection.effects();
    }

    /**
     * Returns how many calls were made to fail.
     *
     * @return the number
     */
    public int faults() {
        return connection.faults();
    }

    /**
     * Returns whether the process behind this connection has died.
     *
     * @return true after a crash
     */
    public boolean isDead() {
        return connection.isDead();
    }

    /** Kills the process behind this connection. */
    public void kill() {
        connection.kill();
    }

    /**
     * Makes one effect fail.
     *
     * @param number the number of the effect, as counted by {@link #effects()}
     * @param fault how it fails
     */
    public void failAtEffect(int number, Fault fault) {
        fail(call -> call.effect() == number, fault);
    }

    /**
     * Makes the next calls of an operation fail.
     *
     * @param operation the part and its method, such as {@code inbox.deliver}
     * @param times how many calls
     * @param fault how they fail
     */
    public void failNext(String operation, int times, Fault fault) {
        Arguments.nonNull("operation", operation);
        AtomicInteger left = new AtomicInteger(times);
        fail(call -> call.operation().equals(operation) && left.getAndDecrement() > 0, fault);
    }

    /**
     * Makes calls fail. The first rule that matches a call applies.
     *
     * @param when which calls, reads included
     * @param fault how they fail
     */
    public void fail(Predicate<StoreCall> when, Fault fault) {
        connection.fail(Arguments.nonNull("when", when), Arguments.nonNull("fault", fault), OptionalInt.empty());
    }

    /**
     * Makes batches fail after some of their keys are done. The first rule that matches a call applies.
     *
     * @param when which calls
     * @param fault how they fail: {@link Fault#FAIL_PARTLY}, {@link Fault#CRASH_PARTLY} or {@link Fault#REACH_PARTLY}
     * @param keys how many of a batch's first keys are done
     */
    public void failAfterKeys(Predicate<StoreCall> when, Fault fault, int keys) {
        connection.fail(Arguments.nonNull("when", when), Arguments.nonNull("fault", fault), OptionalInt.of(keys));
    }

    /**
     * Runs an action right before calls, on the calling thread. The call waits until the action returns; an exception
     * of the action is thrown to the caller.
     *
     * @param when before which calls, reads included
     * @param action what to run
     */
    public void onCall(Predicate<StoreCall> when, Consumer<StoreCall> action) {
        connection.onCall(Arguments.nonNull("when", when), Arguments.nonNull("action", action));
    }

    /**
     * Runs an action right after calls, on the calling thread. The call's effect is done, but its answer is not
     * returned until the action returns. After a call that was made to fail, the action is not run.
     *
     * @param when after which calls, reads included
     * @param action what to run
     */
    public void onAnswer(Predicate<StoreCall> when, Consumer<StoreCall> action) {
        connection.onAnswer(Arguments.nonNull("when", when), Arguments.nonNull("action", action));
    }

    /**
     * Runs code while all calls to a part of the store fail, as if the part could not be reached. A nested call of this
     * method replaces the part until it returns.
     *
     * @param part the beginning of the names of the operations, such as {@code inbox.}; empty for no part
     * @param body what to run
     * @param <T> the type of the answer
     * @return the answer
     */
    public <T> T without(String part, Supplier<T> body) {
        Arguments.nonNull("body", body);
        String before = connection.unreachable(Arguments.nonNull("part", part));
        try {
            return body.get();
        } finally {
            connection.unreachable(before);
        }
    }

    /** Drops all hooks and faults. A dead process stays dead. */
    public void heal() {
        connection.clear();
    }

    @Override
    public Outbox outbox() {
        return store.outbox();
    }

    @Override
    public Outbox outboxForFollowers() {
        return store.outboxForFollowers();
    }

    @Override
    public Inbox inbox(InboxLimits limits) {
        return store.inbox(limits);
    }

    @Override
    public FollowGraph graph() {
        return store.graph();
    }

    @Override
    public SeenMarks seenMarks() {
        return store.seenMarks();
    }

    @Override
    public Optional<RankSnapshots> rankSnapshots() {
        return store.rankSnapshots();
    }
}

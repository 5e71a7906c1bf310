package io.feedkit;

import java.util.Optional;

/**
 * A transaction of the host. FeedKit can publish and delete posts, take reports of follows, and change counters in it.
 * The kind of transaction depends on where the data is kept:
 *
 * <ul>
 *   <li>Posts in SQL: a {@code JdbcTransaction} of feedkit-jdbc, made from a connection to the database of the posts.
 *   <li>Posts in memory: an {@link io.feedkit.memory.InMemoryTransaction} that the store itself began.
 *   <li>Posts in Redis cannot take part in a transaction.
 * </ul>
 *
 * <p>A call with a transaction of another kind, or of another store, throws an {@link IllegalArgumentException} that
 * names the kind that is needed, and writes nothing.
 *
 * @since 0.1.0
 */
public interface PublishTransaction {

    /**
     * Finds the transaction that the calling thread is in, so that an engine joins it without being given a
     * {@link PublishTransaction} at each call; see {@link FeedEngineBuilder#transactions}. It suits hosts whose
     * framework binds transactions to threads.
     *
     * <p>An engine asks at the beginning of each call that could join, on the thread of the caller. Implementations are
     * thread-safe. What they throw reaches the caller, before anything is written.
     */
    @Beta
    @FunctionalInterface
    interface Current {

        /**
         * Returns the transaction that the calling thread is in.
         *
         * @return an open transaction that the engine's store can join; empty if there is none
         */
        Optional<PublishTransaction> find();

        /**
         * Registers an action to run once after the commit of the calling thread's transaction, and not at all after a
         * rollback. The engine registers reports of changed follows if {@link #find()} is empty, because the store
         * cannot join the transaction; what they throw may reach the host after its commit. For changes in a
         * transaction that it has joined, it registers actions that do not throw: this engine then notices the commit
         * at once.
         *
         * @param action the action
         * @return whether it was registered. False if the thread is in no transaction, or its commit cannot be
         *     observed; the engine then reports at once, and looks for the commit itself. The default is false
         */
        default boolean afterCommit(Runnable action) {
            return false;
        }
    }
}

package io.feedkit;

/**
 * A transaction of the host that publishes, deletes, reports of follows and changes of counters can take part in. What
 * it changes decides which kind is needed:
 *
 * <ul>
 *   <li>Posts in SQL: a {@code JdbcTransaction} of feedkit-jdbc, made of a connection to the database of the posts.
 *   <li>Posts in memory: an {@link io.feedkit.memory.InMemoryTransaction} that the store itself began.
 *   <li>Posts in Redis take part in no transaction.
 * </ul>
 *
 * <p>A call with a transaction of another kind, or of another store, throws an {@link IllegalArgumentException} that
 * names the kind that is needed, and writes nothing.
 *
 * @since 0.1.0
 */
public interface PublishTransaction {}

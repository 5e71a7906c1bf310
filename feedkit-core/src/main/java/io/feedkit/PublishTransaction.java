package io.feedkit;

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
public interface PublishTransaction {}

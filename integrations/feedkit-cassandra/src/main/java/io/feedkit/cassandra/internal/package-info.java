/**
 * The tables, and how statements are sent. {@link io.feedkit.cassandra.internal.CopyTables} has the statements,
 * {@link io.feedkit.cassandra.internal.Calls} sends them, {@link io.feedkit.cassandra.internal.KeyspaceCheck} decides
 * whether a keyspace can be used.
 */
@NullMarked
package io.feedkit.cassandra.internal;

import org.jspecify.annotations.NullMarked;

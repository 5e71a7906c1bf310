/** Keeps copies of inboxes in Cassandra: read {@link io.feedkit.cassandra.CassandraInboxCopies} first. */
@NullMarked
package io.feedkit.cassandra;

import org.jspecify.annotations.NullMarked;

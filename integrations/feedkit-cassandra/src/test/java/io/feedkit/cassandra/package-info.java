/** Tests of copies of inboxes in Cassandra. */
package io.feedkit.cassandra;

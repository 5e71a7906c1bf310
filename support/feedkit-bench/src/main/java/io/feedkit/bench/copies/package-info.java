/**
 * The suite {@code copies}: copies of inboxes in Cassandra, for readers who come back. Start with
 * {@link io.feedkit.bench.copies.CopiesSuite}.
 */
@NullMarked
package io.feedkit.bench.copies;

import org.jspecify.annotations.NullMarked;

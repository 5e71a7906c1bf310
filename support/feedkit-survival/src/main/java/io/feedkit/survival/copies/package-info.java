/**
 * Engines whose inboxes are filled from copies in Cassandra: kills of those that make copies, and of those that fill
 * inboxes.
 */
@NullMarked
package io.feedkit.survival.copies;

import org.jspecify.annotations.NullMarked;

/**
 * The suite {@code production}: outbox, graph and tasks in PostgreSQL, inboxes in Redis, and an archive. Start with
 * {@link io.feedkit.bench.production.ProductionSuite}.
 */
@NullMarked
package io.feedkit.bench.production;

import org.jspecify.annotations.NullMarked;

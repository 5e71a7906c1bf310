/**
 * Posts and follows in SQL, inboxes in Redis, old posts in an archive.
 * {@link io.feedkit.examples.production.ProductionFeed} has the wiring.
 */
@NullMarked
package io.feedkit.examples.production;

import org.jspecify.annotations.NullMarked;

/**
 * Kits that compare the engine with its oracle on the store of a backend: random operations, crashes between any two
 * effects, and real threads. Bind {@link io.feedkit.testkit.model.FeedStoreModelKit} first.
 */
@NullMarked
package io.feedkit.testkit.model;

import org.jspecify.annotations.NullMarked;

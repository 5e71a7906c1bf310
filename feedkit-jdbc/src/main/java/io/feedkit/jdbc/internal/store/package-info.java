/**
 * The parts that belong to a store as a whole: {@link io.feedkit.jdbc.internal.store.StoreChecks} before the store is
 * built, {@link io.feedkit.jdbc.internal.store.StorePool} and {@link io.feedkit.jdbc.internal.store.Maintenance} while
 * it is open.
 */
@NullMarked
package io.feedkit.jdbc.internal.store;

import org.jspecify.annotations.NullMarked;

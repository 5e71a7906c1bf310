/**
 * Changes of counters that Redis holds until they are written to the source of truth. Read
 * {@link io.feedkit.redis.internal.writebehind.WriteBehindCounters} first.
 */
@NullMarked
package io.feedkit.redis.internal.writebehind;

import org.jspecify.annotations.NullMarked;

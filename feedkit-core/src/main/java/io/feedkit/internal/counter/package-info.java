/** Helpers that counters and unread counts share; not exported. */
@NullMarked
package io.feedkit.internal.counter;

import org.jspecify.annotations.NullMarked;

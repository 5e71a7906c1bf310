/** The check of servers before a store uses them. Read {@link io.feedkit.redis.internal.check.ServerCheck} first. */
@NullMarked
package io.feedkit.redis.internal.check;

import org.jspecify.annotations.NullMarked;

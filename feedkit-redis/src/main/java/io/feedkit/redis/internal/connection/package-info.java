/**
 * The addresses of servers, and the connections to them. Read {@link io.feedkit.redis.internal.connection.Servers}
 * first.
 */
@NullMarked
package io.feedkit.redis.internal.connection;

import org.jspecify.annotations.NullMarked;

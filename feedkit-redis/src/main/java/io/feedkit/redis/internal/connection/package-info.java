/**
 * Where the servers are, and how to connect to them. Read {@link io.feedkit.redis.internal.connection.Servers} first.
 */
@NullMarked
package io.feedkit.redis.internal.connection;

import org.jspecify.annotations.NullMarked;

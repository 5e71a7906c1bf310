/** Where the servers are, and how to reach them. Read {@link io.feedkit.redis.internal.connection.Servers} first. */
@NullMarked
package io.feedkit.redis.internal.connection;

import org.jspecify.annotations.NullMarked;

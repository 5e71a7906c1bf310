/**
 * The live bus on the publish/subscribe of Redis. Read {@link io.feedkit.redis.internal.bus.BusConnector} first.
 */
@NullMarked
package io.feedkit.redis.internal.bus;

import org.jspecify.annotations.NullMarked;

/** How messages are consumed; read {@link io.feedkit.rabbitmq.internal.receive.LaneSubscription} first. */
@NullMarked
package io.feedkit.rabbitmq.internal.receive;

import org.jspecify.annotations.NullMarked;

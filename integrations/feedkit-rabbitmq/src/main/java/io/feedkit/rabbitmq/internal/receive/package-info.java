/** Consumes messages. Read {@link io.feedkit.rabbitmq.internal.receive.LaneSubscription} first. */
@NullMarked
package io.feedkit.rabbitmq.internal.receive;

import org.jspecify.annotations.NullMarked;

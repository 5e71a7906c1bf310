/**
 * A {@link io.feedkit.queue.FanoutQueue} in RabbitMQ. Read {@link io.feedkit.rabbitmq.RabbitMqFanoutQueue}.
 *
 * <p>Its parts are in {@code io.feedkit.rabbitmq.internal}: {@code connection} opens connections and reconnects,
 * {@code send} publishes and waits for confirms, {@code receive} consumes.
 */
@NullMarked
package io.feedkit.rabbitmq;

import org.jspecify.annotations.NullMarked;

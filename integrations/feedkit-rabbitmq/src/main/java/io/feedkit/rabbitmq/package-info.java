/**
 * A {@link io.feedkit.queue.FanoutQueue} in RabbitMQ. Read {@link io.feedkit.rabbitmq.RabbitMqFanoutQueue}.
 *
 * <p>What it is made of is in {@code io.feedkit.rabbitmq.internal}: {@code connection} keeps connections up,
 * {@code send} publishes and waits for confirms, {@code receive} consumes.
 */
@NullMarked
package io.feedkit.rabbitmq;

import org.jspecify.annotations.NullMarked;

/**
 * The fan-out queue over Kafka. {@link io.feedkit.kafka.internal.StartCheck} prepares topics and groups,
 * {@link io.feedkit.kafka.internal.Sender} sends, {@link io.feedkit.kafka.internal.LaneSubscription} receives, and
 * {@link io.feedkit.kafka.internal.BrokerWatch} tracks the status of the queue.
 */
@NullMarked
package io.feedkit.kafka.internal;

import org.jspecify.annotations.NullMarked;

/**
 * Hands fan-out tasks to workers through Kafka: read {@link io.feedkit.kafka.KafkaFanoutQueue} first. Two classes are
 * independent of that: {@link io.feedkit.kafka.KafkaPostEvents} publishes post events to other services, and
 * {@link io.feedkit.kafka.KafkaPostIntake} consumes their posts.
 */
@NullMarked
package io.feedkit.kafka;

import org.jspecify.annotations.NullMarked;

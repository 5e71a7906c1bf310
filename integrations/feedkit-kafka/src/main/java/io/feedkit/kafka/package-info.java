/**
 * Fan-out tasks handed to workers through Kafka. Read {@link io.feedkit.kafka.KafkaFanoutQueue} first.
 */
@NullMarked
package io.feedkit.kafka;

import org.jspecify.annotations.NullMarked;

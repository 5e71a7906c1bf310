/**
 * Fan-out tasks handed to workers through Kafka: read {@link io.feedkit.kafka.KafkaFanoutQueue} first. What other
 * services hear of posts, and posts that they tell of, are apart from that: {@link io.feedkit.kafka.KafkaPostEvents}
 * and {@link io.feedkit.kafka.KafkaPostIntake}.
 */
@NullMarked
package io.feedkit.kafka;

import org.jspecify.annotations.NullMarked;

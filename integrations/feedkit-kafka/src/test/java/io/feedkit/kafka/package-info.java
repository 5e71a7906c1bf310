/** Tests of the queue over Kafka. */
package io.feedkit.kafka;

/** Publishes messages. Read {@link io.feedkit.rabbitmq.internal.send.Sender} first. */
@NullMarked
package io.feedkit.rabbitmq.internal.send;

import org.jspecify.annotations.NullMarked;

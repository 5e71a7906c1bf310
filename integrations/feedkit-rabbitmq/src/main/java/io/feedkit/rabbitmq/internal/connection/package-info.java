/** Connections that are kept up; read {@link io.feedkit.rabbitmq.internal.connection.Link} first. */
@NullMarked
package io.feedkit.rabbitmq.internal.connection;

import org.jspecify.annotations.NullMarked;

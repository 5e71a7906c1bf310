/**
 * Connections that are opened again after they were lost. Read
 * {@link io.feedkit.rabbitmq.internal.connection.RecoveringConnection} first.
 */
@NullMarked
package io.feedkit.rabbitmq.internal.connection;

import org.jspecify.annotations.NullMarked;

/**
 * How tasks pass through a queue: a relay lends tasks and sends messages, and workers receive the messages and take the
 * tasks.
 */
@NullMarked
package io.feedkit.internal.relay;

import org.jspecify.annotations.NullMarked;

/** The contract of a fan-out queue; not exported. Read {@link io.feedkit.testkit.internal.queue.QueueRules} first. */
@NullMarked
package io.feedkit.testkit.internal.queue;

import org.jspecify.annotations.NullMarked;

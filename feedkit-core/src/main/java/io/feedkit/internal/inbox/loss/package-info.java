/** Notices that an inbox store may have lost deliveries, and repeats them. */
@NullMarked
package io.feedkit.internal.inbox.loss;

import org.jspecify.annotations.NullMarked;

/** Compares stored data with the source of truth, and repairs it: {@link io.feedkit.FeedEngine#verify}. */
@NullMarked
package io.feedkit.verify;

import org.jspecify.annotations.NullMarked;

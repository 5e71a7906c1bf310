/** Comparison of FeedKit's feeds with those of the system that it replaces. */
@NullMarked
package io.feedkit.migration;

import org.jspecify.annotations.NullMarked;

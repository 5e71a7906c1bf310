/**
 * Lists of statuses. {@code TimelineController} answers; {@code Places} turns the ids in which clients page into
 * FeedKit's cursors.
 */
@NullMarked
package io.feedkit.examples.microblog.timeline;

import org.jspecify.annotations.NullMarked;

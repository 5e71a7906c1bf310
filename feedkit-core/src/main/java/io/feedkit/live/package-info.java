/**
 * Live delivery: events of a reader's feed while the reader is connected ({@link io.feedkit.FeedEngine#live}), and the
 * bus by which engines tell each other what changed ({@link io.feedkit.live.LiveBus}).
 */
@NullMarked
package io.feedkit.live;

import org.jspecify.annotations.NullMarked;

/**
 * Live feeds. Start with {@link io.feedkit.internal.live.LiveFeeds}. Signals of this engine and of others ({@link
 * io.feedkit.internal.live.BusLink}) are routed by {@link io.feedkit.internal.live.SignalRouter}, with the index of
 * {@link io.feedkit.internal.live.ConnectedReaders}, to {@link io.feedkit.internal.live.LiveSubscription}s. While no
 * bus brings the signals of other engines, {@link io.feedkit.internal.live.StorePolling} finds their changes.
 */
@NullMarked
package io.feedkit.internal.live;

import org.jspecify.annotations.NullMarked;

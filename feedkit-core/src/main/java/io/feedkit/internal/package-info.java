/**
 * The engine's works; not exported. {@link io.feedkit.internal.FeedReader} is the read path, {@link io.feedkit.internal.Publisher} the write path,
 * {@link io.feedkit.internal.FanoutWorkers} what runs between them; {@link io.feedkit.internal.InboxBuilder}, {@link io.feedkit.internal.InboxRefresher} and
 * {@link io.feedkit.internal.Follows} keep inboxes right.
 */
@NullMarked
package io.feedkit.internal;

import org.jspecify.annotations.NullMarked;

/**
 * Who is online. Read {@link io.feedkit.presence.Presence} first; {@link io.feedkit.FeedEngine#presence} returns it.
 */
@NullMarked
package io.feedkit.presence;

import org.jspecify.annotations.NullMarked;

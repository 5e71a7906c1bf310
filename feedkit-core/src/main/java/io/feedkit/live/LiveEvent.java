package io.feedkit.live;

import io.feedkit.Beta;
import io.feedkit.Cursor;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.check.Arguments;

/**
 * An event of a reader's feed, as {@link io.feedkit.FeedEngine#live} delivers it. Events of posts come in the order in
 * which the posts became visible, which is not always the order of their times. Immutable.
 *
 * @since 0.1.0
 */
@Beta
public sealed interface LiveEvent {

    /**
     * Where to continue after this event: {@link io.feedkit.FeedEngine#live(String, Cursor)} from this cursor, on any
     * engine, delivers the posts that came later, without a gap or a repeat. So does a page of
     * {@link io.feedkit.PageRequest#newer}. In SSE, the cursor's text is the event's id.
     *
     * @return the cursor
     */
    Cursor cursor();

    /**
     * A post is visible in the feed from now on.
     *
     * @param post the post
     * @param cursor where to continue
     */
    record PostAdded(Post post, Cursor cursor) implements LiveEvent {
        /** Refuses null. */
        public PostAdded {
            Arguments.nonNull("post", post);
            Arguments.nonNull("cursor", cursor);
        }
    }

    /**
     * A post of a followed author was deleted. The client need not have shown it.
     *
     * @param key the post
     * @param cursor where to continue
     */
    record PostDeleted(PostKey key, Cursor cursor) implements LiveEvent {
        /** Refuses null. */
        public PostDeleted {
            Arguments.nonNull("key", key);
            Arguments.nonNull("cursor", cursor);
        }
    }

    /**
     * The reader followed or unfollowed authors. Older posts have come or gone, so the client should read its pages
     * again. Several changes may share one event.
     *
     * @param cursor where to continue
     */
    record FeedChanged(Cursor cursor) implements LiveEvent {
        /** Refuses null. */
        public FeedChanged {
            Arguments.nonNull("cursor", cursor);
        }
    }

    /**
     * Events may have been lost before this one: the subscriber was too slow, the bus was interrupted, or an engine
     * died. The posts that came since the cursor follow as further events. Deletes, changes of the feed, and late posts
     * below those that the cursor lists may not follow, so the client should read again what it shows. A client that is
     * far behind may instead cancel, read the first page, and subscribe from its cursor.
     *
     * @param cursor the cursor of the last event before
     */
    record CatchUp(Cursor cursor) implements LiveEvent {
        /** Refuses null. */
        public CatchUp {
            Arguments.nonNull("cursor", cursor);
        }
    }
}

package io.feedkit.queue;

import io.feedkit.Beta;
import io.feedkit.Post;
import io.feedkit.internal.check.Arguments;
import java.time.Instant;

/**
 * Reports to other services that a post was published or deleted. The event refers to the post, and does not contain
 * its content.
 *
 * <p>An event may arrive more than once, with the same {@link #id()}, and in any order with others. A post is published
 * once and deleted once, and never published again after that. So a consumer that has received the {@link Type#DELETED}
 * event of a post ignores all its {@link Type#CREATED} events, also those that arrive later.
 *
 * @param id identifies this event: 1 to 64 visible ASCII characters
 * @param type what happened to the post
 * @param post the post, also after it was deleted; author and id together are its key
 * @param recordedAt when the publish or the delete was recorded, by the store's clock; for a post that was held
 *     back, its time
 * @since 0.1.0
 */
@Beta
public record PostEvent(String id, Type type, Post post, Instant recordedAt) {
    /** Refuses null. */
    public PostEvent {
        Arguments.nonNull("id", id);
        Arguments.nonNull("type", type);
        Arguments.nonNull("post", post);
        Arguments.nonNull("recordedAt", recordedAt);
    }

    /** What can happen to a post. */
    public enum Type {
        /** The post was published. */
        CREATED,
        /** The post was deleted, for good. */
        DELETED
    }
}

package io.feedkit.examples.microblog.status;

import io.feedkit.Post;
import io.feedkit.examples.microblog.web.Snowflakes;
import java.util.Optional;

/** A post, a reply, or a boost of another post, which has no text of its own. */
public record Status(
        long id,
        long accountId,
        String text,
        Optional<Long> inReplyToId,
        Optional<Long> inReplyToAccountId,
        Optional<Long> reblogOfId) {

    static Status post(long id, long accountId, String text, Optional<Status> parent) {
        return new Status(id, accountId, text, parent.map(Status::id), parent.map(Status::accountId), Optional.empty());
    }

    static Status boost(long id, long accountId, Status original) {
        return new Status(id, accountId, "", Optional.empty(), Optional.empty(), Optional.of(original.id()));
    }

    /** The status as FeedKit's id. */
    public String key() {
        return Long.toString(id);
    }

    /** FeedKit's id of what the status is about: the boosted one, or the status itself. Likes and counts are there. */
    public String subject() {
        return Long.toString(reblogOfId.orElse(id));
    }

    /** FeedKit's id of the author. */
    public String author() {
        return Long.toString(accountId);
    }

    /** The time is that of the id, so that the order of ids is the order of feeds. */
    public Post post() {
        return Post.of(author(), key(), Snowflakes.millis(id));
    }
}

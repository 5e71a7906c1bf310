package io.feedkit.examples.microblog.notification;

import io.feedkit.Post;
import io.feedkit.examples.microblog.web.Snowflakes;
import java.util.Optional;

/** What somebody did to an account: {@code mention}, {@code reblog}, {@code favourite} or {@code follow}. */
public record Notification(long id, long accountId, String type, long fromAccountId, Optional<Long> statusId) {

    String key() {
        return Long.toString(id);
    }

    /** FeedKit's id of who gets it. */
    String account() {
        return Long.toString(accountId);
    }

    /** FeedKit's id of who did it. */
    String from() {
        return Long.toString(fromAccountId);
    }

    Post post() {
        return Post.of("notify:" + accountId, key(), Snowflakes.millis(id));
    }
}

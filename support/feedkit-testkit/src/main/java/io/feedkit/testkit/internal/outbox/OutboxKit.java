package io.feedkit.testkit.internal.outbox;

import io.feedkit.Post;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.internal.Kit;
import java.time.Instant;

/** The kits of an outbox, of its log and of its register as their rules see them. */
public interface OutboxKit extends Kit {

    Outbox outbox();

    /** The latest time of posts that are visible at once. */
    default Instant latest() {
        return outbox().holdsBack() ? Instant.ofEpochMilli(now()) : Post.LATEST;
    }

    /** The outbox's log as a worker in another process sees it. */
    default FanoutLog anotherLog() {
        return outbox().fanout();
    }
}

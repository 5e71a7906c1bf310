package io.feedkit.spi;

import io.feedkit.PostKey;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import java.util.List;

/**
 * Records and deletes posts: an {@link Outbox}, whose writes take effect at once, or an outbox in a transaction of the
 * host ({@link TransactionalOutbox#joining}), whose writes take effect when the transaction commits.
 */
public interface OutboxWriter {

    /**
     * Records posts. For each, atomically: the check for an earlier post or a tombstone of the same key, the post, and
     * a task in the fan-out log ({@link FanoutLog.Kind#PUSH PUSH}, {@link FanoutLog.Kind#PULL PULL} or
     * {@link FanoutLog.Kind#PUSH_ACTIVE PUSH_ACTIVE}, after the mode). Idempotent by key. Its time does not depend on
     * the number of followers.
     *
     * @param publications posts and modes
     * @return an answer for each
     */
    List<Appended> append(List<Publication> publications);

    /**
     * Deletes posts. For each, atomically: the tombstone (also for a post never seen, so that it cannot be published
     * later) and, if there was a post, its removal, a {@link FanoutLog.Kind#RETRACT RETRACT} task, and a
     * {@linkplain PulledRegister.Update#retracting() retraction} in the pulled register. Idempotent.
     *
     * @param keys the posts
     * @return for each, whether there was a post to delete
     */
    List<Boolean> delete(List<PostKey> keys);
}

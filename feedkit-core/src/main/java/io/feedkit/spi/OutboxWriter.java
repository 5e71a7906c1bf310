package io.feedkit.spi;

import io.feedkit.PostKey;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import java.util.List;

/**
 * Records and deletes posts: an {@link Outbox}, whose writes take effect at once, or an outbox in a transaction of the
 * host ({@link TransactionalOutbox#joining}), whose writes take effect when the transaction commits.
 *
 * @since 0.1.0
 */
public interface OutboxWriter {

    /**
     * Records posts. For each post, one atomic step checks for an earlier post or a tombstone of the same key, and
     * records the post and a task in the fan-out log. The task is {@link FanoutLog.Kind#PUSH PUSH},
     * {@link FanoutLog.Kind#PULL PULL} or {@link FanoutLog.Kind#PUSH_ACTIVE PUSH_ACTIVE}, as the mode says. Idempotent
     * by key. The time of a call does not depend on the number of followers.
     *
     * @param publications posts and modes
     * @return an answer for each publication
     */
    List<Appended> append(List<Publication> publications);

    /**
     * Deletes posts. For each post without a tombstone, one atomic step sets the tombstone, so that the post cannot be
     * published later. The step also removes the post, records a {@link FanoutLog.Kind#RETRACT RETRACT} task, and
     * enters a {@linkplain PulledRegister.Update#retracting() retraction} in the pulled register. A post that the
     * outbox does not know is deleted, too: inboxes may hold a post that the outbox has lost. Then the task's position
     * has {@link Position#UNKNOWN_TIME}. Idempotent.
     *
     * @param keys the posts
     * @return for each key whether there was a post to delete
     */
    List<Boolean> delete(List<PostKey> keys);
}

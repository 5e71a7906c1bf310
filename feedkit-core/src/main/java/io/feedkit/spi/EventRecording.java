package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.internal.check.Arguments;
import io.feedkit.queue.PostEvent;

/**
 * An outbox that records the events of its posts, and the log of these events. In the atomic step of an append, the
 * outbox records {@link PostEvent.Type#CREATED} for each {@linkplain io.feedkit.Published.Status#NEW new} post. In the
 * step of a delete, it records {@link PostEvent.Type#DELETED} for each post that was there. Calls that change nothing
 * record nothing: an append of a known or deleted post, a repeated delete, and the delete of a post that was never
 * published. Writes in a transaction of the host record their events in it.
 *
 * @param outbox the recording outbox; a {@link TransactionalOutbox} if the outbox that returned this is one
 * @param log the log, the same for all views of one outbox
 * @since 0.1.0
 */
@Beta
public record EventRecording(Outbox outbox, PostEventLog log) {
    /** Refuses null. */
    public EventRecording {
        Arguments.nonNull("outbox", outbox);
        Arguments.nonNull("log", log);
    }
}

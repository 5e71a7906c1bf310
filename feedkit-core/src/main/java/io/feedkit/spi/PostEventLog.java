package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.internal.check.Arguments;
import io.feedkit.queue.PostEvent;
import java.util.List;

/**
 * The recorded events that no {@link io.feedkit.queue.PostEventSink} has confirmed yet. Senders of many processes share
 * the events through leases. An event is leased to one sender at a time, and deleted after it was confirmed.
 *
 * <p>An event is <i>waiting</i>, or <i>leased</i> until some time. When a lease runs out, the event waits again. All
 * times are the store's. Claiming is fair: the event that has waited longest comes first. A log finds events one by
 * one, and never by a highest number or time, because an event may be committed after a later one. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public interface PostEventLog {

    /** Up to how many events every log counts. */
    int COUNTED_AT_MOST = 100_000;

    /**
     * An event that is leased to a sender.
     *
     * @param event the event
     * @param lease the lease's token, different for each lease of the event
     */
    record Claim(PostEvent event, long lease) {
        /** Refuses null. */
        public Claim {
            Arguments.nonNull("event", event);
        }
    }

    /**
     * How far the senders are behind.
     *
     * @param events how many events wait or are leased, up to {@value #COUNTED_AT_MOST}
     * @param oldest when the oldest of them was recorded, in milliseconds since the epoch; {@code 0} if there is none
     */
    record Unsent(long events, long oldest) {}

    /**
     * Leases waiting events. No event is leased to two claims at the same time.
     *
     * @param max the most events to lease, at least 1
     * @param leaseMillis the length of the leases
     * @return up to {@code max} claims, fewer if no more events wait
     */
    List<Claim> claim(int max, long leaseMillis);

    /**
     * Deletes events that were confirmed, each atomically.
     *
     * @param claims the claims
     * @return for each claim false, and nothing was changed, if the lease was lost
     */
    List<Boolean> finish(List<Claim> claims);

    /**
     * Gives events back that were not confirmed, each atomically. They wait from now on.
     *
     * @param claims the claims
     * @return for each claim false, and nothing was changed, if the lease was lost
     */
    List<Boolean> release(List<Claim> claims);

    /**
     * Counts the events. For operators.
     *
     * @return the count, and the age
     */
    Unsent unsent();
}

package io.feedkit.event;

import static io.feedkit.internal.check.Arguments.nonNull;

import java.time.Instant;

/**
 * A suspected loss: the inbox store may have lost deliveries that it had acknowledged, for example in a failover. The
 * deliveries are repeated. Each engine notices the suspected loss by itself, and one of them restarts the tasks.
 *
 * <p>From then on, two numbers show how much was lost and restored: the {@linkplain PostDelivered#readers readers} of
 * {@linkplain PostDelivered#afterSuspectedLoss repeated} deliveries, and the entries {@linkplain InboxRefreshed#added
 * added} to {@linkplain InboxRefreshed#afterSuspectedLoss refreshed} inboxes.
 *
 * @since 0.1.0
 */
public final class DeliveryLossSuspected {

    private record Values(Instant before, int replayed) {}

    private final Values values;

    private DeliveryLossSuspected(Values values) {
        this.values = values;
    }

    /**
     * Makes an event.
     *
     * @param before the time of the store's clock before which deliveries may be lost
     * @param replayed how many finished tasks this engine put back into the queue; zero if another engine did that
     * @return the event
     */
    public static DeliveryLossSuspected of(Instant before, int replayed) {
        return new DeliveryLossSuspected(new Values(nonNull("before", before), replayed));
    }

    /**
     * The time of the store's clock before which deliveries may be lost.
     *
     * @return the time
     */
    public Instant before() {
        return values.before;
    }

    /**
     * How many finished tasks this engine put back into the queue; zero if another engine did that.
     *
     * @return the number
     */
    public int replayed() {
        return values.replayed;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeliveryLossSuspected that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "DeliveryLossSuspected");
    }
}

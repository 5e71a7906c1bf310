package io.feedkit.event;

import java.time.Instant;

/**
 * A suspected loss: the inbox store may have lost deliveries that it had acknowledged, for example in a failover. The
 * deliveries are repeated. Each engine notices the suspected loss for itself, and one of them restarts the tasks.
 *
 * <p>From then on, two numbers say how much was lost and restored: the {@linkplain PostDelivered#readers readers} of
 * {@linkplain PostDelivered#afterSuspectedLoss repeated} deliveries, and the entries
 * {@linkplain InboxRefreshed#added added} to {@linkplain InboxRefreshed#afterSuspectedLoss refreshed} inboxes.
 *
 * @param before deliveries before this time of the store's clock may be lost
 * @param replayed how many finished tasks this engine put back into the queue; none if another engine did that
 */
public record DeliveryLossSuspected(Instant before, int replayed) {}

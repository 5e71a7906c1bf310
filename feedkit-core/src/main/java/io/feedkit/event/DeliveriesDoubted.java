package io.feedkit.event;

import java.time.Instant;

/**
 * A suspected loss: the inbox store may have lost deliveries that it had acknowledged, for example in a failover. The
 * engine has begun to repeat them. Each engine notices the suspected loss for itself.
 *
 * <p>From then on, two numbers say how much was lost and restored: the {@linkplain PostDelivered#readers readers} of
 * {@linkplain PostDelivered#doubted doubted} deliveries, and the entries {@linkplain InboxRefreshed#added added} to
 * {@linkplain InboxRefreshed#doubted doubted} inboxes.
 *
 * @param before deliveries before this time of the store's clock may be lost
 * @param replayed how many finished tasks were put back into the queue. The event comes again, with the same time, if
 *     some tasks were being finished at that moment
 */
public record DeliveriesDoubted(Instant before, int replayed) {}

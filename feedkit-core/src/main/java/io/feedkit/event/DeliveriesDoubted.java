package io.feedkit.event;

import java.time.Instant;

/**
 * The inbox store noticed that it may have lost deliveries that it had acknowledged, in a failover say, and the engine
 * has begun to make them again. Each engine notices for itself.
 *
 * <p>What was lost and healed can be counted from then on: the {@linkplain PostDelivered#readers readers} of deliveries
 * that are {@linkplain PostDelivered#doubted doubted}, and the entries {@linkplain InboxRefreshed#added added} to
 * inboxes that are {@linkplain InboxRefreshed#doubted doubted}.
 *
 * @param before what was delivered before this time of the store's clock is doubted
 * @param replayed how many finished tasks were put back into the queue. The event comes again, with the same time, if
 *     some tasks were only just being finished then
 */
public record DeliveriesDoubted(Instant before, int replayed) {}

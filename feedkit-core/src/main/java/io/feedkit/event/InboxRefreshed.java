package io.feedkit.event;

/**
 * An inbox was compared with the outboxes.
 *
 * @param reader whose inbox
 * @param added how many missing posts were inserted
 * @param removed how many stale posts were removed
 * @param afterSuspectedLoss whether the inbox was compared because of a suspected loss (see {@link
 *     DeliveryLossSuspected}). Then the missing posts had been lost, or had not been delivered yet
 */
public record InboxRefreshed(String reader, int added, int removed, boolean afterSuspectedLoss) {}

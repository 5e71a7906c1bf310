package io.feedkit.event;

/**
 * An inbox was compared with the outboxes.
 *
 * @param reader whose
 * @param added how many missing posts were inserted
 * @param removed how many stale posts were removed
 * @param doubted whether it was compared because this engine doubts what was delivered to it (see
 *     {@link DeliveriesDoubted}): then what was missing had been lost, or not been delivered yet
 */
public record InboxRefreshed(String reader, int added, int removed, boolean doubted) {}

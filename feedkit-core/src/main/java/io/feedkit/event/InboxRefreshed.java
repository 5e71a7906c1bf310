package io.feedkit.event;

/**
 * An inbox was compared with the outboxes.
 *
 * @param reader whose
 * @param added how many missing posts were inserted
 * @param removed how many stale posts were removed
 */
public record InboxRefreshed(String reader, int added, int removed) {}

package io.feedkit.event;

import java.time.Duration;

/**
 * An inbox was built from the outboxes.
 *
 * @param reader whose
 * @param posts how many posts were collected
 * @param took how long it took
 */
public record InboxRebuilt(String reader, int posts, Duration took) {}

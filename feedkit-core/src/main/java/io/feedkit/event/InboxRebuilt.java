package io.feedkit.event;

import java.time.Duration;

/**
 * An inbox was built from the outboxes.
 *
 * @param reader whose inbox
 * @param posts how many posts were collected
 * @param took how long the build took
 */
public record InboxRebuilt(String reader, int posts, Duration took) {}

package io.feedkit.event;

import java.time.Duration;

/**
 * A page of a feed was read.
 *
 * @param reader who read
 * @param fromInbox how many of the page's posts came from the inbox
 * @param fromOutboxes how many of the page's posts came from outboxes only
 * @param outboxCalls how often the outbox was asked
 * @param took how long the read took, callbacks included
 */
public record FeedRead(String reader, int fromInbox, int fromOutboxes, int outboxCalls, Duration took) {}

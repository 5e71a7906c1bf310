package io.feedkit.fanout;

import java.time.Instant;

/**
 * A fan-out task that failed too often and waits for somebody to look at it.
 *
 * @param id its name, for {@link FanoutControl#replay}
 * @param task what it was to do, and for which post or author
 * @param attempts how often it had failed since it last made progress, when it failed for the last time
 * @param reason the last failure
 * @param died when it was given up
 */
public record DeadLetter(String id, String task, int attempts, String reason, Instant died) {}

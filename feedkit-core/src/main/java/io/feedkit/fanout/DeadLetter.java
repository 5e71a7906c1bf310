package io.feedkit.fanout;

import java.time.Instant;

/**
 * A fan-out task that failed too often, and waits until an operator replays it.
 *
 * @param id its id, for {@link FanoutControl#replay}
 * @param task what it was to do, and for which post or author
 * @param attempts how often the task had failed in a row since its last progress
 * @param reason the last failure
 * @param died when the task became a dead letter
 */
public record DeadLetter(String id, String task, int attempts, String reason, Instant died) {}

package io.feedkit.fanout;

import java.time.Duration;

/**
 * How far the fan-out is behind.
 *
 * @param tasks tasks that are not finished
 * @param age how long ago the oldest of them was recorded; zero if there is none
 * @param deadLetters tasks that failed too often
 */
public record Backlog(long tasks, Duration age, long deadLetters) {}

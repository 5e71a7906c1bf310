package io.feedkit.event;

import java.time.Duration;

/**
 * A fan-out task is done.
 *
 * @param kind what it was, such as {@code PUSH}
 * @param author whose posts it was about
 * @param age how long ago it was recorded
 */
public record TaskFinished(String kind, String author, Duration age) {}

package io.feedkit.event;

import java.time.Duration;

/**
 * A fan-out task is done.
 *
 * @param kind the kind of the task, such as {@code PUSH}
 * @param author the author of the task's posts
 * @param age how long ago the task was recorded
 */
public record TaskFinished(String kind, String author, Duration age) {}

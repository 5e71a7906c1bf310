package io.feedkit.event;

/**
 * A fan-out task failed, by its own fault or because a store could not be reached. A store that cannot be reached makes
 * a task a dead letter only after a day.
 *
 * @param kind the kind of the task, such as {@code PUSH}
 * @param author the author of the task's posts
 * @param attempts how often in a row the task has failed since its last progress, this failure included. Failures
 *     because a store could not be reached are counted apart, by each engine
 * @param dead whether the task is a dead letter now; otherwise it will be tried again
 * @param reason the failure
 */
public record TaskFailed(String kind, String author, int attempts, boolean dead, String reason) {}

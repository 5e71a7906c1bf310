package io.feedkit.event;

/**
 * A fan-out task failed: by its own fault, or because a store could not be reached, which makes it a dead letter only
 * after a day.
 *
 * @param kind what it is, such as {@code PUSH}
 * @param author whose posts it is about
 * @param attempts how often in a row it has failed since it last made progress, this time included; failures of the
 *     store are counted apart, by each engine
 * @param dead whether it was given up and is a dead letter now; otherwise it will be tried again
 * @param reason what happened
 */
public record TaskFailed(String kind, String author, int attempts, boolean dead, String reason) {}

package io.feedkit.examples.microblog.status;

/**
 * An event of the application: an account mentions, boosts or favourites, or takes that back. Published in the
 * transaction of what happens.
 *
 * @param type {@code mention}, {@code reblog} or {@code favourite}
 * @param from who does it
 * @param to whom it is about, who may be the same
 * @param undone whether it is taken back
 */
public record Interaction(String type, long from, long to, long statusId, boolean undone) {}

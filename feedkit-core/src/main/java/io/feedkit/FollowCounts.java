package io.feedkit;

/**
 * How many follows a user has in both directions, as the follow graph counts them.
 *
 * @param followers how many users follow the user
 * @param followees how many authors the user follows
 * @since 0.1.0
 */
public record FollowCounts(long followers, long followees) {}

package io.feedkit.event;

/**
 * A reader began to follow an author, or unfollowed the author.
 *
 * @param reader the reader
 * @param author the author
 * @param following whether the reader follows the author now
 */
public record FollowChanged(String reader, String author, boolean following) {}

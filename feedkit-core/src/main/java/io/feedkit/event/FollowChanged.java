package io.feedkit.event;

/**
 * A reader follows an author, or does not any more.
 *
 * @param reader the reader
 * @param author the author
 * @param following whether the reader follows the author now
 */
public record FollowChanged(String reader, String author, boolean following) {}

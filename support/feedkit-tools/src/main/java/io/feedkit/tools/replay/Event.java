package io.feedkit.tools.replay;

/** A recorded event, with its time in milliseconds since 1970. */
sealed interface Event {

    long millis();

    /** An author publishes a post. */
    record Publish(long millis, long author, long id) implements Event {}

    /** An author deletes a post. */
    record Delete(long millis, long author, long id) implements Event {}

    /** A reader follows an author. */
    record Follow(long millis, long reader, long author) implements Event {}

    /** A reader unfollows an author. */
    record Unfollow(long millis, long reader, long author) implements Event {}

    /** A reader reads the first page. */
    record Read(long millis, long reader) implements Event {}
}

package io.feedkit.survival.live;

import io.feedkit.Cursor;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.live.LiveEvent;
import java.util.Optional;
import java.util.concurrent.Flow;

/**
 * An engine, in this process or in another one. Calls that change something throw {@link io.feedkit.FeedKitException}
 * or {@link Unanswered} if they may not have been done.
 */
interface LiveEngine extends AutoCloseable {

    /** A process did not answer. */
    final class Unanswered extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unanswered(String message) {
            super(message);
        }
    }

    String name();

    /** Publishes a post, and returns it as it was stored. */
    Post publish(String author, String id);

    void delete(PostKey post);

    /** Makes a reader follow an author, or unfollow. */
    void change(String reader, String author, boolean following);

    /** The cursor of the newest page. */
    Cursor newest(String reader);

    /**
     * Subscribes to the live feed of a reader.
     *
     * @param since where to continue, if the client was connected before
     */
    void subscribe(String reader, Optional<Cursor> since, Flow.Subscriber<LiveEvent> subscriber);

    @Override
    void close();
}

package io.feedkit.spi;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.queue.EventRecording;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Every author's posts and tombstones: the source of truth, and durable. An outbox has its own fan-out log and pulled
 * register, because they change together with the posts.
 *
 * <p>Results hold no tombstoned posts. Authors without posts contribute nothing, and unknown authors are not an error.
 */
public interface Outbox extends OutboxWriter {

    /**
     * A post to be recorded, and how it is to reach its readers.
     *
     * @param post the post
     * @param mode the mode of its fan-out
     */
    record Publication(Post post, FanoutMode mode) {}

    /**
     * The answer to an append.
     *
     * @param status the outcome
     * @param post the post as stored: for SAME the earlier one, whose time may differ; for DELETED the one given
     */
    record Appended(Status status, Post post) {
        /** The outcome of an append. */
        public enum Status {
            /** The post was recorded, with the task that it needs. */
            NEW,
            /** The author has published this id before; nothing changed. */
            SAME,
            /** The post is tombstoned; nothing changed. */
            DELETED
        }
    }

    /**
     * A request for posts of many authors, merged.
     *
     * @param authors the authors
     * @param range the range of positions
     * @param order at which end of the range to begin
     * @param limit the most posts to return, at least 1
     */
    record PageQuery(Set<String> authors, PositionRange range, Order order, int limit) {
        /** Copies the authors. */
        public PageQuery {
            authors = Set.copyOf(authors);
        }
    }

    /**
     * A request to count some authors' posts in a range.
     *
     * @param authors the authors
     * @param range the range of positions
     * @param limit the most posts to count, at least 1
     */
    record CountQuery(Set<String> authors, PositionRange range, int limit) {
        /** Copies the authors. */
        public CountQuery {
            authors = Set.copyOf(authors);
        }
    }

    /**
     * The newest posts of each author in a range.
     *
     * @param authors the authors, without duplicates
     * @param range the range of positions
     * @param each the most posts for each author, at least 1
     * @return for each author the posts, newest first; the lists never change, and may create a post when it is first
     *     looked at
     */
    List<List<Post>> newest(List<String> authors, PositionRange range, int each);

    /**
     * A page of many authors' posts, merged in the order of {@link Position}. A store should answer it in a bounded
     * number of queries, skipping authors whose last post is too old.
     *
     * @param query what to read
     * @return the first {@code limit} posts of the range in the order asked for; fewer only if there are no more
     */
    List<Post> page(PageQuery query);

    /**
     * Returns which posts exist.
     *
     * @param keys the posts
     * @return the posts that were published and not deleted
     */
    Set<PostKey> existing(Collection<PostKey> keys);

    /**
     * Counts the posts of authors.
     *
     * @param authors the authors
     * @return the number of undeleted posts of each author; authors without posts are left out
     */
    Map<String, Long> counts(Collection<String> authors);

    /**
     * Counts the posts of authors in ranges, without reading them. Each author's posts are counted at some moment
     * during the call; the moments may differ. A store should answer all queries in a bounded number of round trips.
     *
     * @param queries what to count; an author may occur in more than one query
     * @return for each query, in the order of the queries, the number of undeleted posts of all its authors in its
     *     range, at most its {@code limit}
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; counting again is harmless
     */
    List<Integer> count(List<CountQuery> queries);

    /**
     * Returns when authors last published: the time of their latest append, by the store's clock. The post's own time
     * does not matter. Deletes do not change the answer.
     *
     * @param authors the authors
     * @return milliseconds since the epoch for each author that has ever published
     */
    Map<String, Long> lastAppended(Collection<String> authors);

    /**
     * A time of the store's clock. Every post appended before it is visible to reads, and was delivered, or is in the
     * pulled register, or could be missed by no inbox. The mark is not later than the recording of the oldest
     * unfinished task, except for retractions and active pushes. It is not later than the oldest append under way. A
     * post for an active push is entered in the register by its publisher. If that failed, the post is visible when a
     * worker has claimed its task.
     *
     * @return milliseconds since the epoch
     */
    long settledMark();

    /**
     * This outbox as one that also records the events of its posts, for a {@link io.feedkit.queue.PostEventSink}. An
     * outbox that cannot record an event in the step of the append or the delete has none, as this default.
     *
     * @return a view of the same data that records events, with their log
     */
    default Optional<EventRecording> recordingEvents() {
        return Optional.empty();
    }

    /**
     * The register of authors whose posts were not all pushed.
     *
     * @return the register
     */
    PulledRegister pulled();

    /**
     * The log of fan-out tasks.
     *
     * @return the log
     */
    FanoutLog fanout();
}

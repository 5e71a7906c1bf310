package io.feedkit.spi;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.internal.check.Arguments;
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
 *
 * <p>An outbox that {@linkplain #holdsBack holds back} posts answers as if a post were not there before its time, by
 * the store's clock. The post's task can be claimed, and its event be sent, from that time on. Only {@link #existing}
 * and writes know the post before.
 *
 * @since 0.1.0
 */
public interface Outbox extends OutboxWriter {

    /**
     * A post to be recorded, and how it is to reach its readers.
     *
     * @param post the post
     * @param mode the mode of its fan-out
     */
    record Publication(Post post, FanoutMode mode) {
        /** Refuses null. */
        public Publication {
            Arguments.nonNull("post", post);
            Arguments.nonNull("mode", mode);
        }
    }

    /**
     * The answer to an append.
     *
     * @param status the outcome
     * @param post the post as stored: for SAME the earlier one, whose time may differ; for DELETED the one given
     */
    record Appended(Status status, Post post) {
        /** Refuses null. */
        public Appended {
            Arguments.nonNull("status", status);
            Arguments.nonNull("post", post);
        }

        /** The outcome of an append. */
        public enum Status {
            /** The post was recorded, with the task that it needs. */
            NEW,
            /** The same, by an outbox that holds the post and its task back, because the post's time has not come. */
            AHEAD,
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
            Arguments.nonNull("range", range);
            Arguments.nonNull("order", order);
            authors = Set.copyOf(Arguments.nonNull("authors", authors));
        }
    }

    /**
     * A request to count some authors' posts in a range, and to read the lowest of them.
     *
     * @param authors the authors
     * @param range the range of positions
     * @param above posts above this position are counted, the others are read; {@link Position#LOWEST} to count all
     * @param limit the most posts to count, and the most to read, at least 1
     */
    record CountQuery(Set<String> authors, PositionRange range, Position above, int limit) {
        /** Copies the authors. */
        public CountQuery {
            Arguments.nonNull("range", range);
            Arguments.nonNull("above", above);
            authors = Set.copyOf(Arguments.nonNull("authors", authors));
        }

        /**
         * A request that reads no posts.
         *
         * @param authors the authors
         * @param range the range of positions
         * @param limit the most posts to count
         */
        public CountQuery(Set<String> authors, PositionRange range, int limit) {
            this(authors, range, Position.LOWEST, limit);
        }

        /**
         * The part of the range in which posts are counted.
         *
         * @return the range above {@code above}; possibly empty
         */
        public PositionRange counted() {
            return new PositionRange(Position.max(range.from(), above.next()), range.below());
        }

        /**
         * The part of the range in which posts are read.
         *
         * @return the range up to {@code above}, inclusive; possibly empty
         */
        public PositionRange read() {
            return new PositionRange(range.from(), Position.min(range.below(), above.next()));
        }
    }

    /**
     * The answer to a count.
     *
     * @param above the number of posts that were counted
     * @param posts the posts that were read, in any order
     */
    record Counted(int above, List<Post> posts) {
        /** Copies the posts. */
        public Counted {
            posts = List.copyOf(Arguments.nonNull("posts", posts));
        }
    }

    /**
     * Names this source of truth. The store makes the identity at random with its schema, or when it is first asked for
     * it, and keeps it with the posts. So no two sources of truth have the same identity, unless one is a copy of the
     * other. All processes and all views of an outbox see the same identity. Engines ask for it when they start. After
     * its first answer, an object repeats that answer without asking the store.
     *
     * @return 1 to 64 characters a-z, A-Z, 0-9, {@code -} and {@code _}
     * @throws io.feedkit.StoreUnavailableException if the store was not asked before, and cannot be reached
     */
    String identity();

    /**
     * Records earlier posts of authors, for an import, as {@link #append} does, but with few tasks. Those posts of an
     * author that are new are recorded in one atomic step with the tasks that they need, or in a few such steps if they
     * are very many. With {@link FanoutMode#PUSH} the step records an {@link FanoutLog.Kind#IMPORT IMPORT} task whose
     * oldest and newest positions are those of its new posts. With another mode it records a
     * {@link FanoutLog.Kind#PULL PULL} task with these positions. Neither counts for {@link FanoutLog#invisibleSince}.
     * A post that is held back has a task of its own. This default records a task for each post.
     *
     * @param posts the posts, of any authors, in any order
     * @param mode how they are to reach their readers
     * @return an answer for each post
     */
    default List<Appended> appendImported(List<Post> posts, FanoutMode mode) {
        return append(posts.stream().map(post -> new Publication(post, mode)).toList());
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
     * Returns which posts exist, as they are stored now. If the host can change the times of posts, a post may have
     * another time than in an earlier answer.
     *
     * @param keys the posts
     * @return the posts that were published and not deleted, also those that are held back
     */
    Map<PostKey, Post> existing(Collection<PostKey> keys);

    /**
     * Counts the posts of authors.
     *
     * @param authors the authors
     * @return the number of undeleted posts of each author; authors without posts are left out
     */
    Map<String, Long> counts(Collection<String> authors);

    /**
     * Counts the posts of authors in ranges without reading them, and reads those of the ranges to read. Each author's
     * posts are looked at at some moment during the call; the moments may differ. A store should answer all queries in
     * a bounded number of round trips.
     *
     * @param queries what to count; an author may occur in more than one query
     * @return for each query, in the order of the queries, the number of undeleted posts of all its authors in
     *     {@link CountQuery#counted()}, at most its {@code limit}, and their posts in {@link CountQuery#read()}; if
     *     there are more than {@code limit}, any {@code limit} of them
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; counting again is harmless
     */
    List<Counted> count(List<CountQuery> queries);

    /**
     * Returns when authors last published: the time of their latest append, by the store's clock. An author has no post
     * that is not settled if this time is before the {@link #settledMark}. The post's own time does not matter, but a
     * post that is held back counts from its own time on, as appended at that time. A deleted post may count or not.
     *
     * @param authors the authors
     * @return milliseconds since the epoch for each author that has published; those without posts may be left out
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
     * Whether posts may be appended ahead of their time. An outbox over a host's own table of posts has to hold them
     * back, because it can neither change nor refuse a row. Other outboxes get no post ahead of the engine's clock, but
     * for the allowed skew, and show each post at once.
     *
     * @return whether this outbox holds back posts until their time
     */
    default boolean holdsBack() {
        return false;
    }

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

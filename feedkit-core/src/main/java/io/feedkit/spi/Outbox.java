package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.internal.check.Arguments;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Every author's posts and tombstones: the source of truth, and durable. An outbox has its own fan-out log and pulled
 * register, because they change together with the posts.
 *
 * <p>Results contain no tombstoned posts. Authors without posts contribute nothing, and unknown authors are not an
 * error.
 *
 * <p>An outbox that {@linkplain #holdsBack holds back} posts answers as if a post did not exist before its time, by the
 * store's clock. From that time on, the post's task can be claimed, and its event can be sent. Before that time, only
 * {@link #existing} and writes take the post into account.
 *
 * @since 0.1.0
 */
public interface Outbox extends OutboxWriter {

    /**
     * A post to record, and how it reaches its readers.
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
     * @param heldBack whether the outbox holds back a new post and its task until the post's time
     */
    record Appended(Published.Status status, Post post, boolean heldBack) {
        /** Refuses null. */
        public Appended {
            Arguments.nonNull("status", status);
            Arguments.nonNull("post", post);
        }

        /**
         * The answer for a post that is not held back.
         *
         * @param status the outcome
         * @param post the post as stored
         */
        public Appended(Published.Status status, Post post) {
            this(status, post, false);
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
     * Names this source of truth. The store makes the identity at random with its schema, or at the first call of this
     * method, and keeps it with the posts. So no two sources of truth have the same identity, unless one is a copy of
     * the other. All processes and all views of an outbox see the same identity. Engines call this method when they
     * start. After its first answer, an object returns the same answer without a call to the store.
     *
     * @return 1 to 64 characters a-z, A-Z, 0-9, {@code -} and {@code _}
     * @throws io.feedkit.StoreUnavailableException if this object has no answer yet, and the store cannot be reached
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
     * @param mode how the posts reach their readers
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
     * @return for each author the posts, newest first; the lists are immutable, and may create a post at its first
     *     access
     */
    List<List<Post>> newest(List<String> authors, PositionRange range, int each);

    /**
     * A page of many authors' posts, merged in the order of {@link Position}. A store should answer it in a bounded
     * number of queries, skipping authors whose last post is too old.
     *
     * @param query what to read
     * @return the first {@code limit} posts of the range in the requested order; fewer only if there are no more
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
     * Returns which posts are tombstoned, for operators. Changes nothing. This default is for an outbox that cannot
     * look up tombstones: it finds only posts whose retraction has not finished.
     *
     * @param keys the posts
     * @return the posts with a tombstone, also those that were deleted without ever being published
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; asking again is harmless
     */
    @Beta
    default Set<PostKey> tombstones(Collection<PostKey> keys) {
        Set<String> authors = keys.stream().map(PostKey::author).collect(Collectors.toSet());
        Set<PostKey> retracting =
                new HashSet<>(pulled().update(Optional.empty(), authors, 0).retracting());
        retracting.retainAll(Set.copyOf(keys));
        return Set.copyOf(retracting);
    }

    /**
     * Counts the posts of authors in ranges without reading them, and reads those of the ranges to read. Each author's
     * posts are read at some moment during the call; the moments may differ. A store should answer all queries in a
     * bounded number of round trips.
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
     * post that is held back counts from its own time on, as if it was appended at that time. A deleted post may or may
     * not count.
     *
     * @param authors the authors
     * @return milliseconds since the epoch for each author that has published; those without posts may be left out
     */
    Map<String, Long> lastAppended(Collection<String> authors);

    /**
     * Returns the posts of authors that were appended at or after a time of the store's clock, whatever their own times
     * are. For this, a post counts as for {@link #lastAppended}. This default reads the newest posts of authors who
     * have appended since.
     *
     * @param authors the authors, without duplicates
     * @param since milliseconds since the epoch
     * @param from the lowest position that matters
     * @param each the most posts of an author, at least 1
     * @return for each author the posts at or above {@code from}, in any order, and perhaps some that were appended
     *     earlier; empty if there may be more than {@code each}
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; asking again is harmless
     */
    @Beta
    default List<Optional<List<Post>>> appendedSince(List<String> authors, long since, Position from, int each) {
        Map<String, Long> last = lastAppended(authors);
        List<String> active = authors.stream()
                .filter(author -> last.getOrDefault(author, Long.MIN_VALUE) >= since)
                .toList();
        List<List<Post>> newest = active.isEmpty() ? List.of() : newest(active, PositionRange.from(from), each + 1);
        Map<String, Optional<List<Post>>> found = new HashMap<>();
        for (int i = 0; i < active.size(); i++) {
            found.put(active.get(i), Optional.of(newest.get(i)).filter(posts -> posts.size() <= each));
        }
        return authors.stream()
                .map(author -> found.getOrDefault(author, Optional.of(List.of())))
                .toList();
    }

    /**
     * Returns the posts of authors that were deleted at or after a time of the store's clock. An outbox whose posts may
     * get other times or vanish without a call, such as a host's own table, cannot say. A deletion that reads did
     * not show when {@link #settledMark} returned {@code since} is among them as soon as they show it, also if a host's
     * transaction was open for long. This default cannot say.
     *
     * @param authors the authors, without duplicates
     * @param since milliseconds since the epoch
     * @param each the most keys of an author, at least 1
     * @return the keys, perhaps with some that were deleted earlier or never published; empty if the store cannot say,
     *     or an author may have more than {@code each}: then {@link #existing} says which posts are left
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; asking again is harmless
     */
    @Beta
    default Optional<Set<PostKey>> deletedSince(Collection<String> authors, long since, int each) {
        return Optional.empty();
    }

    /**
     * Returns a time of the store's clock. Every post that was appended before this time is visible to reads. Each such
     * post was also delivered, or is in the pulled register, or cannot be missing from any inbox. The mark is not later
     * than the time when the oldest unfinished task was recorded; retractions and active pushes do not count. It is
     * also not later than the oldest append in progress, and, if {@link #deletedSince} has answers, not later than the
     * oldest deletion in progress. A publisher enters a post for an active push in the register.
     * If that fails, the post is visible when a worker has claimed its task.
     *
     * @return milliseconds since the epoch
     */
    long settledMark();

    /**
     * Lists the authors who have published through this outbox, under the conditions of
     * {@link FollowGraph#forEachUser}. Authors whose posts are all deleted may be among them.
     *
     * @param visitor receives up to 1,000 ids, not empty; returns false to end the walk. If it throws, the walk ends
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; the walk ends
     * @throws UnsupportedOperationException if the outbox cannot list its authors, like this default
     */
    @Beta
    default void forEachAuthor(Predicate<List<String>> visitor) {
        throw new UnsupportedOperationException("this outbox cannot list its authors");
    }

    /**
     * Whether posts may be appended ahead of their time. An outbox over a host's own table of posts has to hold them
     * back, because it can neither change nor refuse a row. Other outboxes get no posts ahead of the engine's clock,
     * except within the allowed skew, and show each post at once.
     *
     * @return whether this outbox holds back posts until their time
     */
    default boolean holdsBack() {
        return false;
    }

    /**
     * This outbox as one that also records the events of its posts, for a {@link io.feedkit.queue.PostEventSink}. An
     * outbox that cannot record an event in the same step as the append or the delete returns empty, like this default.
     *
     * @return a view of the same data that records events, with the log of the events; empty if the outbox cannot do
     *     that
     */
    default Optional<EventRecording> recordingEvents() {
        return Optional.empty();
    }

    /**
     * This outbox as one whose old posts can move to a {@link PostArchive}. An outbox that keeps all its posts returns
     * empty, like this default.
     *
     * @return a view of the same data; it records events if this outbox does
     */
    @Beta
    default Optional<ArchiveSource> archiveSource() {
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

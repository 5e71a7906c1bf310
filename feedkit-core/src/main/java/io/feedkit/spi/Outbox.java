package io.feedkit.spi;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Every author's posts and tombstones: the truth, and durable. It brings its own fan-out log and pulled register, since
 * they change together with the posts.
 *
 * <p>Results hold no tombstoned posts. Where authors have no posts they contribute nothing; unknown authors are not an
 * error.
 */
public interface Outbox {

    /**
     * A post to be recorded, and how it is to reach its readers.
     *
     * @param post the post
     * @param mode the fan-out its task is for
     */
    record Publication(Post post, FanoutMode mode) {}

    /**
     * The answer to an append.
     *
     * @param status what happened
     * @param post the post as stored: for SAME the earlier one, whose time may differ; for DELETED the one given
     */
    record Appended(Status status, Post post) {
        /** What happened. */
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
     * @param range where to look
     * @param order which end of the range to begin with
     * @param limit the most posts to return, at least 1
     */
    record PageQuery(Set<String> authors, PositionRange range, Order order, int limit) {
        /** Copies the authors. */
        public PageQuery {
            authors = Set.copyOf(authors);
        }
    }

    /**
     * A question of how many posts some authors have in a range.
     *
     * @param authors the authors
     * @param range where to look
     * @param limit the most posts to count, at least 1
     */
    record CountQuery(Set<String> authors, PositionRange range, int limit) {
        /** Copies the authors. */
        public CountQuery {
            authors = Set.copyOf(authors);
        }
    }

    /**
     * Records posts. For each, atomically: the check for an earlier post or a tombstone of the same key, the post, and
     * a task in the fan-out log ({@link FanoutLog.Kind#PUSH PUSH}, {@link FanoutLog.Kind#PULL PULL} or
     * {@link FanoutLog.Kind#PUSH_ACTIVE PUSH_ACTIVE}, after the mode). Idempotent by key. Its time does not depend on
     * the number of followers.
     *
     * @param publications posts and modes
     * @return an answer for each
     */
    List<Appended> append(List<Publication> publications);

    /**
     * Deletes posts. For each, atomically: the tombstone (also for a post never seen, so that it cannot be published
     * later) and, if there was a post, its removal, a {@link FanoutLog.Kind#RETRACT RETRACT} task, and a
     * {@linkplain PulledRegister.Update#retracting() retraction} in the pulled register. Idempotent.
     *
     * @param keys the posts
     * @return for each, whether there was a post to delete
     */
    List<Boolean> delete(List<PostKey> keys);

    /**
     * The newest posts of each author in a range.
     *
     * @param authors the authors, without duplicates
     * @param range where to look
     * @param each the most posts for each author, at least 1
     * @return for each author its posts, newest first; the lists never change, and may make a post when it is first
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
     * Says which posts exist.
     *
     * @param keys the posts
     * @return those that were published and not deleted
     */
    Set<PostKey> existing(Collection<PostKey> keys);

    /**
     * Counts the posts of authors.
     *
     * @param authors the authors
     * @return how many posts each has that are not deleted; authors without are left out
     */
    Map<String, Long> counts(Collection<String> authors);

    /**
     * Counts the posts of authors in ranges, without reading them. Each author's posts are counted at some moment
     * during the call, not all at the same one. A store should answer all queries in a bounded number of round trips.
     *
     * @param queries what to count; an author may occur in more than one
     * @return for each query, in their order, how many posts its authors have together in its range that are not
     *     deleted, at most its {@code limit}
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; counting again is harmless
     */
    List<Integer> count(List<CountQuery> queries);

    /**
     * Says when authors last published: when, by the store's clock, the latest of their posts was appended, whatever
     * time that post bears. Deleting posts changes nothing about it.
     *
     * @param authors the authors
     * @return milliseconds since the epoch for each author that has ever published
     */
    Map<String, Long> lastAppended(Collection<String> authors);

    /**
     * A time of the store's clock such that every post appended before it is visible to reads, and was delivered or is
     * in the pulled register. It is not later than the recording of the oldest unfinished task (retractions and active
     * pushes apart) and the oldest append under way. A post for an active push is entered in the register by its
     * publisher; if that failed, it is visible when a worker takes up its task.
     *
     * @return milliseconds since the epoch
     */
    long settledMark();

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

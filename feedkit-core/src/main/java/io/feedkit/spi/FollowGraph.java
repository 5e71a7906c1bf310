package io.feedkit.spi;

import io.feedkit.PublishTransaction;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who follows whom. FeedKit ships implementations; a host may plug in its own table by implementing this interface, and
 * tells the engine of every change ({@code followed}, {@code unfollowed}). A host's graph keeps the rules of this
 * package for failures, too: what else it throws reaches the engine's caller as it is.
 *
 * <p>An edge that was written before a call begins is seen by it; one written while pages are walked may or may not be.
 */
public interface FollowGraph {

    /**
     * A request for followers.
     *
     * @param author the author followed
     * @param range the followers of interest
     * @param after return ids above this one; {@code ""} for the beginning
     * @param limit the most ids to return, at least 1
     */
    record FollowerQuery(String author, KeyRange range, String after, int limit) {}

    /**
     * One page of ids.
     *
     * @param ids ascending by bytes, without duplicates
     * @param more whether there may be further ids above the last; never true for an empty page
     */
    record IdPage(List<String> ids, boolean more) {
        /** Copies the ids. */
        public IdPage {
            ids = List.copyOf(ids);
        }
    }

    /**
     * How many edges a user has.
     *
     * @param followers who follow the user
     * @param followees whom the user follows
     */
    record FollowCounts(long followers, long followees) {}

    /**
     * Pages of followers, by keyset.
     *
     * @param queries the pages wanted
     * @return a page for each
     */
    List<IdPage> followers(List<FollowerQuery> queries);

    /**
     * A page of the authors a reader follows, by keyset.
     *
     * @param reader the reader
     * @param after return ids above this one; {@code ""} for the beginning
     * @param limit the most ids to return, at least 1
     * @return the page
     */
    IdPage followees(String reader, String after, int limit);

    /**
     * Says which of some authors a reader follows.
     *
     * @param reader the reader
     * @param authors the authors in question
     * @return those that the reader follows
     */
    Set<String> followed(String reader, Collection<String> authors);

    /**
     * Counts edges. An estimate is allowed: policies decide by it.
     *
     * @param users the users
     * @return counts for each; users without edges have zeros or are left out
     */
    Map<String, FollowCounts> counts(Collection<String> users);

    /**
     * Cuts an author's followers into ranges of about equal size, for several workers.
     *
     * @param author the author
     * @param parts how many ranges are wanted, at least 1
     * @return at least one and at most {@code parts} ranges, ascending, without gaps or overlaps, that cover
     *     {@link KeyRange#ALL}; the default does not cut
     */
    default List<KeyRange> split(String author, int parts) {
        return List.of(KeyRange.ALL);
    }

    /**
     * A view of this graph for a policy that decides while a transaction of the host is open. A graph that is kept
     * where the transaction is asks on the transaction's connection: the thread holds that one already, and would wait
     * for a second one in vain if such threads hold all connections of a pool. The view is used by the thread that owns
     * the transaction, and not after the transaction. It changes nothing, and locks nothing that others change.
     *
     * @param transaction the host's transaction, of whatever backend
     * @return the view, on which only {@link #counts} is called; this graph itself by default
     */
    default FollowGraph joining(PublishTransaction transaction) {
        return this;
    }
}

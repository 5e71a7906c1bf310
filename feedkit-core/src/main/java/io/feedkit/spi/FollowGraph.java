package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.FollowCounts;
import io.feedkit.PublishTransaction;
import io.feedkit.internal.check.Arguments;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Who follows whom. FeedKit ships implementations. A host may use its own table by implementing this interface; it then
 * reports every change to the engine by {@link io.feedkit.HostGraph}. This package's rules for failures also apply to a
 * host's graph. The engine passes other exceptions of the graph to its caller unchanged.
 *
 * <p>A call sees every edge that was written before the call began. A walk over pages may or may not see an edge that
 * is written meanwhile.
 *
 * @since 0.1.0
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
    record FollowerQuery(String author, KeyRange range, String after, int limit) {
        /** Refuses null. */
        public FollowerQuery {
            Arguments.nonNull("author", author);
            Arguments.nonNull("range", range);
            Arguments.nonNull("after", after);
        }
    }

    /**
     * One page of ids.
     *
     * @param ids ascending by bytes, without duplicates
     * @param more whether there may be further ids above the last; never true for an empty page
     */
    record IdPage(List<String> ids, boolean more) {
        /** Copies the ids. */
        public IdPage {
            ids = List.copyOf(Arguments.nonNull("ids", ids));
        }
    }

    /**
     * Pages of followers, by keyset.
     *
     * @param queries the pages to read
     * @return a page for each query
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
     * The first pages of the authors that many readers follow, for comparisons of many readers at once. The default
     * reads the pages one by one.
     *
     * @param readers the readers
     * @param limit the most ids to return for each reader, at least 1
     * @return a page for each reader, as {@link #followees(String, String, int)} returns it
     */
    @Beta
    default List<IdPage> followees(List<String> readers, int limit) {
        return readers.stream().map(reader -> followees(reader, "", limit)).toList();
    }

    /**
     * Returns which of some authors a reader follows.
     *
     * @param reader the reader
     * @param authors the authors to look up
     * @return the authors that the reader follows
     */
    Set<String> followed(String reader, Collection<String> authors);

    /**
     * Counts edges. Estimates are allowed, because policies only compare the counts with thresholds.
     *
     * @param users the users
     * @return counts for each; users without edges have zeros or are left out
     */
    Map<String, FollowCounts> counts(Collection<String> users);

    /**
     * Cuts an author's followers into ranges of about equal size, for several workers.
     *
     * @param author the author
     * @param parts the most ranges to return, at least 1
     * @return at least one and at most {@code parts} ranges, ascending, without gaps or overlaps, that cover
     *     {@link KeyRange#ALL}; the default does not cut
     */
    default List<KeyRange> split(String author, int parts) {
        return List.of(KeyRange.ALL);
    }

    /**
     * Lists the users who have edges, as readers or as authors, some at a time and in any order. A user whose edges do
     * not change during the walk is listed at least once, and seldom several times. The visitor is called on the
     * calling thread, while the graph holds neither a connection nor a lock. So the visitor may take its time, and may
     * use the store. Changes nothing.
     *
     * @param visitor receives up to 1,000 ids, not empty; returns false to end the walk. If it throws, the walk ends
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; the walk ends
     * @throws UnsupportedOperationException if the graph cannot list its users, like this default
     */
    @Beta
    default void forEachUser(Predicate<List<String>> visitor) {
        throw new UnsupportedOperationException("this graph cannot list its users");
    }

    /**
     * A view of this graph for a policy that decides while a transaction of the host is open. If the graph is kept in
     * the transaction's database, the view reads on the transaction's connection. The thread already holds that
     * connection. If such threads held all connections of a pool, a thread that needed a second connection would wait
     * in vain. The view is used only by the thread that owns the transaction, and only during the transaction. The view
     * changes nothing, and locks nothing that others change.
     *
     * @param transaction the host's transaction, of any backend
     * @return the view, on which only {@link #counts} is called; this graph itself by default
     */
    default FollowGraph joining(PublishTransaction transaction) {
        return this;
    }
}

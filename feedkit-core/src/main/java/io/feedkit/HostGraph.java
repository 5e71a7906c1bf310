package io.feedkit;

import java.util.Collection;

/**
 * Reports changes of a follow graph that the host keeps in its own table. {@link FeedEngine#hostGraph} returns it for
 * engines whose graph FeedKit can only read. A report never changes that graph.
 *
 * <p>The host writes its graph, commits, and then reports the change:
 *
 * <pre>{@code
 * followTable.insert("alice", "bob");
 * feed.hostGraph().followed("alice", "bob");
 * }</pre>
 *
 * <p>A report without a transaction is made <em>after the commit</em>. It brings the inbox in line with the graph at
 * that moment. So a report before the commit has no effect. A report also has no effect if a lagging replica of the
 * graph does not show the change yet. Such a change shows like an unreported one: when an engine next loads the
 * reader's followees, after {@link FeedEngineBuilder.ReadSettings#followeeAge} at the latest.
 *
 * <p>A report with a transaction is made <em>before the commit</em>, and takes effect if and only if the transaction
 * commits. It needs a transaction that {@link FeedEngine#publish(Post, PublishTransaction)} can join, too. The report
 * writes nothing, and needs no connection. The engine keeps the report in memory, and looks for the change in the
 * graph:
 *
 * <ul>
 *   <li>On this engine, every read and unread count of that reader first looks for the change. So the first page after
 *       the commit shows it, unless the graph has just timed out: for a second after that, reads do not look.
 *   <li>On other engines, the change shows when this engine has found it. Its workers look at once, and again after
 *       pauses that double from 2 milliseconds to 30 seconds. An engine without workers looks after the same pauses,
 *       but only while some feed is read on it.
 *   <li>If the process ends before it has found the change, the change shows like an unreported one. The same holds if
 *       the transaction commits more than an hour after the report, or if 10,000 later reports came before that.
 *   <li>A rollback leaves every inbox as it was. For an hour, each read of that reader on this engine makes one more
 *       query to the graph.
 * </ul>
 *
 * <p>If the graph already shows the change, the report takes effect at once, like a report after the commit.
 *
 * <p>Reports are idempotent. A reader cannot follow themselves: a report of such a follow has no effect. Every method
 * throws what {@link FeedEngine} lists for all its methods. Thread-safe.
 *
 * @since 0.1.0
 */
public interface HostGraph {

    /**
     * Reports a follow after its commit. When this returns, the author's posts are in the feed, old ones included.
     *
     * @param reader who follows
     * @param author who is followed
     * @throws OutcomeUnknownException if the feed may lack posts; reporting again repairs that, and so does the next
     *     refresh
     */
    void followed(String reader, String author);

    /**
     * Reports many follows of one reader after their commit, as {@link #followed(String, String)} reports one.
     *
     * @param reader who follows
     * @param authors who are followed
     * @throws OutcomeUnknownException as {@link #followed(String, String)} does, and if the store fails after some
     *     authors were handled
     */
    void followedAll(String reader, Collection<String> authors);

    /**
     * Reports an unfollow after its commit. When this returns, no engine shows the author's posts any more.
     *
     * @param reader who followed
     * @param author who was followed
     * @throws OutcomeUnknownException if posts may still be shown; reporting again repairs that, and so does the next
     *     refresh
     */
    void unfollowed(String reader, String author);

    /**
     * Reports many unfollows of one reader after their commit, as {@link #unfollowed(String, String)} reports one.
     *
     * @param reader who followed
     * @param authors who were followed
     * @throws OutcomeUnknownException as {@link #unfollowed(String, String)} does, and if the store fails after some
     *     authors were handled
     */
    void unfollowedAll(String reader, Collection<String> authors);

    /**
     * Reports a follow in the transaction that writes it. After the commit, the author's posts are in the feed without
     * a further call. See {@link HostGraph} for when each engine shows the change.
     *
     * @param reader who follows
     * @param author who is followed
     * @param transaction the host's transaction, as the store's backend wraps it
     * @throws IllegalArgumentException if the store cannot join this transaction, or the transaction has ended
     */
    @Beta
    void followed(String reader, String author, PublishTransaction transaction);

    /**
     * Reports many follows of one reader in the transaction that writes them, as
     * {@link #followed(String, String, PublishTransaction)} reports one.
     *
     * @param reader who follows
     * @param authors who are followed
     * @param transaction the host's transaction, as the store's backend wraps it
     * @throws IllegalArgumentException if the store cannot join this transaction, or the transaction has ended
     */
    @Beta
    void followedAll(String reader, Collection<String> authors, PublishTransaction transaction);

    /**
     * Reports an unfollow in the transaction that writes it. After the commit, the author's posts are not shown any
     * more, without a further call. See {@link HostGraph} for when each engine shows the change.
     *
     * @param reader who followed
     * @param author who was followed
     * @param transaction the host's transaction, as the store's backend wraps it
     * @throws IllegalArgumentException if the store cannot join this transaction, or the transaction has ended
     */
    @Beta
    void unfollowed(String reader, String author, PublishTransaction transaction);

    /**
     * Reports many unfollows of one reader in the transaction that writes them, as
     * {@link #unfollowed(String, String, PublishTransaction)} reports one.
     *
     * @param reader who followed
     * @param authors who were followed
     * @param transaction the host's transaction, as the store's backend wraps it
     * @throws IllegalArgumentException if the store cannot join this transaction, or the transaction has ended
     */
    @Beta
    void unfollowedAll(String reader, Collection<String> authors, PublishTransaction transaction);
}

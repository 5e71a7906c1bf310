package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.Post;
import io.feedkit.PublishTransaction;
import io.feedkit.spi.Outbox.PageQuery;
import java.util.List;

/**
 * An outbox whose old posts can move to a {@link PostArchive}; {@link Outbox#archiveSource()} returns it. The engine
 * copies posts to the archive first, and then removes their rows here. A row that is removed leaves no tombstone.
 *
 * <p>Tombstones, and posts that unfinished work may need, stay in the outbox.
 *
 * <p>Implementations are thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public interface ArchiveSource extends WarmPosts {

    /**
     * Raises the {@link #boundary}. Durable and atomic: of simultaneous calls the highest value stays.
     *
     * @param millis milliseconds since the epoch; a value below the present boundary changes nothing
     * @return the boundary after the call
     */
    long raiseBoundary(long millis);

    /**
     * Leases the work of the mover to one engine at a time, so that many engines together keep the rate of one. It is
     * no lock: posts stay right if several movers work. A holder may renew its lease, or end it with 0.
     *
     * @param holder who asks: 1 to 40 characters of ASCII
     * @param millis for how long from now, by the store's clock; 0 or more
     * @return whether the holder has the lease for this time; false if another one has it
     */
    boolean leaseMover(String holder, long millis);

    /**
     * Lists authors in the order of their ids. The cost must not depend on the number of authors before the first one.
     *
     * @param after list authors with higher ids; {@code ""} for the beginning
     * @param limit the most to return, at least 1
     * @return authors that have rows; fewer than {@code limit} only at the end. An author may have no posts
     */
    List<String> authors(String after, int limit);

    /**
     * A page of the rows that this outbox stores itself, as {@link Outbox#page}. If posts are rows of a host's own
     * table, these are the outbox's own rows for published posts, and not the host's.
     *
     * @param query what to read
     * @return the first {@code limit} posts of the range in the requested order; fewer only if there are no more
     */
    List<Post> page(PageQuery query);

    /**
     * Returns which posts may move. A post may move if its row still has the given time, if it was appended before a
     * given time, and if it is not in the span of its author's entry in the pulled register.
     *
     * @param posts posts of this outbox, with different keys
     * @param settled the {@link Outbox#settledMark} that was read before: posts appended at this time or later stay
     * @return those that may move, in the order of the request
     */
    List<Post> movable(List<Post> posts, long settled);

    /**
     * Removes the rows of posts that may move, without tombstones and without tasks. For each post one atomic step
     * checks that it may still {@linkplain #movable move}, and removes its row.
     *
     * @param posts posts that are in the archive, with different keys
     * @param settled as in {@link #movable}
     * @return those whose rows were removed
     */
    List<Post> remove(List<Post> posts, long settled);

    /**
     * A view whose answers are those of a transaction of the host, on its connection, and whose deletes take effect
     * when it commits.
     *
     * @param transaction the host's transaction
     * @return the view, to be used by the thread that owns the transaction
     * @throws IllegalArgumentException if the transaction is of another backend, or has ended, or if this outbox does
     *     not take part in transactions, like this default
     */
    default WarmPosts joining(PublishTransaction transaction) {
        throw new IllegalArgumentException(
                "transaction must be of the store's own kind, but this outbox does not take " + "part in transactions");
    }
}

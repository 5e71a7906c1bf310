package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.health.StorePart;
import io.feedkit.spi.Outbox.PageQuery;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The cold tier: posts that were moved out of an {@link Outbox} because they are old. An engine moves them, and reads
 * the outbox first and then the archive, so that feeds do not show where a post is stored.
 *
 * <p>An archive is simple on purpose. It has no tombstones, no tasks and no transactions; the outbox decides which
 * posts exist. A post may be in both tiers for a while, and the outbox then counts. Each key has at most one post in
 * the archive.
 *
 * <p>Implementations are thread-safe. Every method may be repeated after a failure. When a method that writes returns,
 * its change is durable, and every later call of any process sees it.
 *
 * @since 0.1.0
 */
@Beta
public interface PostArchive extends StorePart {

    /**
     * Records that this archive belongs to a source of truth: the first one that claims it. Engines call this method
     * when they start.
     *
     * @param identity the {@link Outbox#identity} of the source of truth
     * @throws io.feedkit.ForeignStoreException if another source of truth has claimed the archive, or if the archive
     *     has posts but was never claimed; nothing was changed
     * @throws io.feedkit.StoreUnavailableException if the archive cannot be reached
     */
    void claim(String identity);

    /**
     * Stores posts. A post whose key is there already replaces the earlier one. Atomic for each post.
     *
     * @param posts the posts, with different keys
     */
    void store(List<Post> posts);

    /**
     * Deletes posts, without a trace. Keys that are not there are ignored. Atomic for each key.
     *
     * @param keys the posts
     */
    void delete(Collection<PostKey> keys);

    /**
     * The newest posts of each author in a range, as {@link Outbox#newest}.
     *
     * @param authors the authors, without duplicates
     * @param range the range of positions
     * @param each the most posts for each author, at least 1
     * @return for each author the posts, newest first
     */
    List<List<Post>> newest(List<String> authors, PositionRange range, int each);

    /**
     * A page of many authors' posts, merged in the order of {@link Position}, as {@link Outbox#page}.
     *
     * @param query what to read
     * @return the first {@code limit} posts of the range in the requested order; fewer only if there are no more
     */
    List<Post> page(PageQuery query);

    /**
     * Returns which posts are there.
     *
     * @param keys the posts
     * @return the posts of these keys
     */
    Map<PostKey, Post> existing(Collection<PostKey> keys);

    /**
     * Returns which posts are there, for a thread that has a transaction of the host open. The thread holds a
     * connection of the host's pool, so the archive must not take another connection of that pool: it uses the
     * connection of the transaction, or a pool of its own. The default is for archives that take no connection of a
     * host's pool.
     *
     * @param transaction the transaction that the thread has open; of any backend
     * @param keys the posts
     * @return the posts of these keys
     */
    default Map<PostKey, Post> existing(PublishTransaction transaction, Collection<PostKey> keys) {
        return existing(keys);
    }

    /**
     * Counts all posts, for operators. This may take long.
     *
     * @return the number of posts
     */
    long size();
}

package io.feedkit.survival.tiers;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.WarmPosts;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A source of archived posts that passes every call on. */
interface ForwardingArchiveSource extends ArchiveSource {

    ArchiveSource delegate();

    @Override
    default long boundary() {
        return delegate().boundary();
    }

    @Override
    default Map<PostKey, Optional<Post>> known(Collection<PostKey> keys) {
        return delegate().known(keys);
    }

    @Override
    default List<Boolean> delete(List<PostKey> keys, Collection<Post> archived) {
        return delegate().delete(keys, archived);
    }

    @Override
    default long raiseBoundary(long millis) {
        return delegate().raiseBoundary(millis);
    }

    @Override
    default boolean leaseMover(String holder, long millis) {
        return delegate().leaseMover(holder, millis);
    }

    @Override
    default List<String> authors(String after, int limit) {
        return delegate().authors(after, limit);
    }

    @Override
    default List<Post> page(PageQuery query) {
        return delegate().page(query);
    }

    @Override
    default List<Post> movable(List<Post> posts, long settled) {
        return delegate().movable(posts, settled);
    }

    @Override
    default List<Post> remove(List<Post> posts, long settled) {
        return delegate().remove(posts, settled);
    }

    @Override
    default WarmPosts joining(PublishTransaction transaction) {
        return delegate().joining(transaction);
    }
}

package io.feedkit.survival.tiers;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PostArchive;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** An archive that passes every call on. */
interface ForwardingPostArchive extends PostArchive {

    PostArchive delegate();

    @Override
    default void claim(String identity) {
        delegate().claim(identity);
    }

    @Override
    default void store(List<Post> posts) {
        delegate().store(posts);
    }

    @Override
    default void delete(Collection<PostKey> keys) {
        delegate().delete(keys);
    }

    @Override
    default List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        return delegate().newest(authors, range, each);
    }

    @Override
    default List<Post> page(PageQuery query) {
        return delegate().page(query);
    }

    @Override
    default Map<PostKey, Post> existing(Collection<PostKey> keys) {
        return delegate().existing(keys);
    }

    @Override
    default Map<PostKey, Post> existing(PublishTransaction transaction, Collection<PostKey> keys) {
        return delegate().existing(transaction, keys);
    }

    @Override
    default long size() {
        return delegate().size();
    }
}

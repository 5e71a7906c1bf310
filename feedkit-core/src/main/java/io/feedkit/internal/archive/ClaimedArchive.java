package io.feedkit.internal.archive;

import io.feedkit.FeedKitException;
import io.feedkit.ForeignStoreException;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PostArchive;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The archive of an engine. It is used only after it was claimed for the engine's source of truth. It is claimed when
 * the engine starts. If it cannot be reached then, the first use claims it. Thread-safe.
 */
final class ClaimedArchive implements PostArchive {

    private static final Logger log = LoggerFactory.getLogger(ClaimedArchive.class);

    private final PostArchive archive;
    private final String identity;
    private volatile boolean claimed;

    private ClaimedArchive(PostArchive archive, String identity) {
        this.archive = archive;
        this.identity = identity;
    }

    /**
     * Claims an archive for an engine that starts.
     *
     * @throws ForeignStoreException if another source of truth has claimed it
     */
    static PostArchive of(PostArchive archive, String identity, EngineSettings settings) {
        ClaimedArchive claimed = new ClaimedArchive(archive, identity);
        try {
            claimed.claim(identity);
        } catch (FeedKitException e) {
            if (!e.isRetryable()) {
                throw e;
            }
            log.warn("{}: cannot claim the archive yet; its first use claims it: {}", settings.name(), e.getMessage());
        }
        return claimed;
    }

    private PostArchive claimed(String operation) {
        if (!claimed) {
            try {
                claim(identity);
            } catch (ForeignStoreException e) {
                throw new StoreUnavailableException(operation, e);
            }
        }
        return archive;
    }

    @Override
    public void claim(String source) {
        archive.claim(source);
        claimed = true;
    }

    @Override
    public void store(List<Post> posts) {
        claimed("archive.store").store(posts);
    }

    @Override
    public void delete(Collection<PostKey> keys) {
        claimed("archive.delete").delete(keys);
    }

    @Override
    public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        return claimed("archive.newest").newest(authors, range, each);
    }

    @Override
    public List<Post> page(PageQuery query) {
        return claimed("archive.page").page(query);
    }

    @Override
    public Map<PostKey, Post> existing(Collection<PostKey> keys) {
        return claimed("archive.existing").existing(keys);
    }

    /** Not claimed here, because the claim may take a connection of the host's pool. */
    @Override
    public Map<PostKey, Post> existing(PublishTransaction transaction, Collection<PostKey> keys) {
        if (!claimed) {
            throw new StoreUnavailableException(
                    "archive.existing", new IllegalStateException("the archive is not claimed yet"));
        }
        return archive.existing(transaction, keys);
    }

    @Override
    public long size() {
        return claimed("archive.size").size();
    }
}

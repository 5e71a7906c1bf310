package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.Post;
import io.feedkit.PostKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an outbox knows of posts whose rows may have moved to a {@link PostArchive}: an {@link ArchiveSource}, whose
 * writes take effect at once, or {@link ArchiveSource#joining a view of it} in a transaction of the host.
 *
 * @since 0.1.0
 */
@Beta
public interface WarmPosts {

    /**
     * The archive boundary. Every post in the archive is older. It never decreases.
     *
     * @return milliseconds since the epoch; {@code 0} if no post was ever moved
     */
    long boundary();

    /**
     * Returns which keys have a row in the outbox.
     *
     * @param keys the posts
     * @return for each key that has a row the post, or empty if it is tombstoned. A key without a row was never
     *     published, or its post was moved to the archive
     */
    Map<PostKey, Optional<Post>> known(Collection<PostKey> keys);

    /**
     * Deletes posts, as {@link OutboxWriter#delete}. A post that has no row in the outbox, but is one of the given
     * posts, is deleted as if its row were there: the answer, the task and the event are those of a known post.
     *
     * @param keys the posts to delete
     * @param archived posts that the caller knows to exist, of these keys
     * @return for each key whether there was a post to delete
     */
    List<Boolean> delete(List<PostKey> keys, Collection<Post> archived);
}

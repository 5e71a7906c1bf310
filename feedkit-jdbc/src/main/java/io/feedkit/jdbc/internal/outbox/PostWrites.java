package io.feedkit.jdbc.internal.outbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.Outbox.Publication;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Writes the table of posts, with the statements of each database. Keys are sorted and distinct. */
sealed interface PostWrites permits PostgresWrites, PortableWrites {

    /** Records the posts whose keys are new, each with its task, and returns their keys. */
    Set<PostKey> insert(Handle handle, List<Publication> publications);

    /** Records the posts whose keys are new, with a few tasks for each author, and returns their keys. */
    Set<PostKey> insertImported(Handle handle, List<Post> posts, FanoutMode mode);

    /** Returns the posts of the keys that have a row; empty for tombstones. */
    Map<PostKey, Optional<Post>> known(Handle handle, List<PostKey> keys);

    /** Records posts whose keys are new without tasks and without a time of append, as if they had always existed. */
    void adopt(Handle handle, List<Post> posts);

    /**
     * Replaces the keys by tombstones, each with a retraction unless there was a tombstone. Returns the keys that were
     * posts.
     *
     * @param moved the keys whose entries in inboxes may have another time than the row
     */
    Set<PostKey> entomb(Handle handle, List<PostKey> keys, Set<PostKey> moved);
}

package io.feedkit.jdbc.internal.outbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.Outbox.Publication;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** How a database changes the ledger. Keys come in their order, without duplicates. */
sealed interface PostWrites permits PostgresWrites, PortableWrites {

    /** Records the posts whose keys are new, each with its task, and returns their keys. */
    Set<PostKey> insert(Handle handle, List<Publication> publications);

    /** The posts of keys that are in the ledger; empty for tombstones. */
    Map<PostKey, Optional<Post>> known(Handle handle, List<PostKey> keys);

    /** Records posts whose keys are new, as if they had always been there: without tasks, and without a time at which they were appended. */
    void adopt(Handle handle, List<Post> posts);

    /** Turns the keys into tombstones, and returns those that were posts. */
    Set<PostKey> bury(Handle handle, List<PostKey> keys);
}

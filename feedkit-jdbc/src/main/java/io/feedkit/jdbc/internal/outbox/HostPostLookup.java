package io.feedkit.jdbc.internal.outbox;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.internal.host.HostPosts;
import io.feedkit.jdbc.internal.posts.PostRows;
import io.feedkit.jdbc.internal.sql.Database;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Looks up rows of a host's own table of posts, also rows dated in the future, in the writing transaction. */
final class HostPostLookup {

    /**
     * A row.
     *
     * @param post the post
     * @param isAhead whether its time is in the future by the store's clock
     */
    record Row(Post post, boolean isAhead) {}

    private final HostPosts posts;
    private final Database database;
    private final String find;

    HostPostLookup(HostPosts posts) {
        this.posts = posts;
        database = posts.withThoseAhead();
        find = database.sql("SELECT p.author, p.id, p.published_at, p.published_at > ${now} AS ahead FROM "
                + PostRows.KEYS.source(database.dialect())
                + database.dialect().join()
                + "${post} p ON p.author = k.author AND p.id = k.id");
    }

    /** Returns the rows of the keys that have a row and no tombstone. */
    Map<PostKey, Row> find(Handle handle, Collection<PostKey> keys) {
        return database.query(handle, find, PostRows.keys(keys))
                .map((row, context) -> new Row(PostRows.post(row), row.getBoolean("ahead")))
                .collect(toUnmodifiableMap(row -> row.post().key(), row -> row, (one, other) -> one));
    }

    /** Creates the exception that says why a post cannot be published. */
    IllegalArgumentException refusal(Post post, Optional<Post> row) {
        return new IllegalArgumentException(
                row.map(found -> "publishedAt of " + post.key() + " must be that of its row in " + posts.table() + ", "
                                + found.publishedAt() + ", but is " + post.publishedAt())
                        .orElseGet(() -> "the row of " + post.key() + " must be in " + posts.table()
                                + " before it is published, or inserted in the same transaction, but is not there"));
    }
}

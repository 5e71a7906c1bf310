package io.feedkit.jdbc.internal.outbox;

import static java.util.stream.Collectors.toMap;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.internal.posts.PostRows;
import io.feedkit.jdbc.internal.posts.PostSource;
import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.Outbox.PageQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** The statements about rows of the table {@code post} that move to an archive. */
final class ArchivableRows {

    private final Database database;
    private final PostSource own;
    private final String authors;
    private final String known;
    private final String movable;
    private final String remove;

    /** @param own the posts of the table {@code post}, also if readers see a host's table */
    ArchivableRows(Database database, PostSource own) {
        this.database = database;
        this.own = own;
        String keys = PostRows.KEYS.source(database.dialect());
        String rows = PostRows.ROWS.source(database.dialect());
        String join = database.dialect().join();
        authors = database.sql(database.dialect().distinct("${post}", "author"));
        known = database.sql("SELECT p.author, p.id, p.published_at FROM " + keys + join
                + "${post} p ON p.author = k.author AND p.id = k.id");
        movable = database.sql("SELECT k.author, k.id, k.published_at FROM " + rows + join
                + "${post} p ON p.author = k.author AND p.id = k.id WHERE p.published_at = k.published_at AND "
                + condition("p.appended_at", "k.author", "k.published_at", "k.id"));
        remove = database.sql("DELETE FROM ${post} WHERE author = :author AND id = :id AND published_at = :at AND "
                + condition("appended_at", ":author", database.dialect().number(":at"), ":id"));
    }

    /** Whether a row is settled, and not in the span of its author's entry in the register. */
    private static String condition(String appendedAt, String author, String at, String id) {
        return "(" + appendedAt + " IS NULL OR " + appendedAt + " < :settled)"
                + " AND NOT EXISTS (SELECT 1 FROM ${pulled} r WHERE r.author = " + author
                + " AND (r.oldest_at < " + at + " OR (r.oldest_at = " + at + " AND r.oldest_id <= " + id + "))"
                + " AND (r.newest_at > " + at + " OR (r.newest_at = " + at + " AND r.newest_id >= " + id + ")))";
    }

    List<String> authors(Handle handle, String after, int limit) {
        return database.query(handle, authors)
                .bind("after", after)
                .bind("n", limit)
                .mapTo(String.class)
                .list();
    }

    List<Post> page(Handle handle, PageQuery query) {
        return own.page(handle, query);
    }

    Map<PostKey, Optional<Post>> known(Handle handle, Collection<PostKey> keys) {
        return database.query(handle, known, PostRows.keys(keys))
                .map((row, context) -> Map.entry(PostRows.key(row), PostRows.known(row)))
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one));
    }

    List<Post> movable(Handle handle, List<Post> posts, long settled) {
        Set<Post> found = new HashSet<>(database.query(handle, movable, PostRows.rows(posts))
                .bind("settled", settled)
                .map((row, context) -> PostRows.post(row))
                .list());
        return posts.stream().filter(found::contains).toList();
    }

    /** Removes rows in the order of their keys, and returns those that were there. */
    List<Post> remove(Handle handle, List<Post> posts, long settled) {
        List<Post> ordered = posts.stream().sorted(PostRows.POSTS_IN_ORDER).toList();
        int[] counts = Batches.run(
                database,
                handle,
                remove,
                ordered,
                (batch, post) -> batch.bind("author", post.author())
                        .bind("id", post.id())
                        .bind("at", post.publishedAt().toEpochMilli())
                        .bind("settled", settled));
        List<Post> removed = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                removed.add(ordered.get(i));
            }
        }
        return removed;
    }
}

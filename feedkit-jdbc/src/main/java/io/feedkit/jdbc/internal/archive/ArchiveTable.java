package io.feedkit.jdbc.internal.archive;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.feedkit.ForeignStoreException;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.internal.posts.PostRows;
import io.feedkit.jdbc.internal.posts.PostSource;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * The tables {@code archive_post}, with a row for each archived post, and {@code archive_source}, with the identity of
 * the source of truth. Rows are written in the order of their keys. Thread-safe.
 */
public final class ArchiveTable {

    /** The name of the table of posts, without its prefix. */
    public static final String NAME = "archive_post";

    private final Database database;
    private final PostSource posts;
    private final String store;
    private final String delete;
    private final String existing;
    private final String size;
    private final String owner;
    private final String anyPost;
    private final String own;

    /** Prepares the statements for a database. */
    public ArchiveTable(Database database) {
        Dialect dialect = database.dialect();
        this.database = database.withPosts("${" + NAME + "}");
        this.posts = new PostSource(this.database, this.database);
        String keys = PostRows.KEYS.source(dialect);
        store = database.sql(upsert(dialect).formatted(PostRows.ROWS.source(dialect)));
        delete = database.sql(new Joins(dialect)
                .delete(PostRows.KEYS, "${archive_post}", "p", "p.author = k.author AND p.id = k.id"));
        String joined = keys + dialect.join() + "${archive_post} p ON p.author = k.author AND p.id = k.id";
        existing = database.sql("SELECT p.author, p.id, p.published_at FROM " + joined);
        size = database.sql("SELECT count(*) FROM ${archive_post}");
        owner = database.sql("SELECT identity FROM ${archive_source} WHERE part = 'truth'");
        anyPost = database.sql("SELECT 1 FROM ${archive_post} LIMIT 1");
        own = database.sql("INSERT INTO ${archive_source} (part, identity) VALUES ('truth', :identity)");
    }

    private static String upsert(Dialect dialect) {
        String insert = "INSERT INTO ${archive_post}%s (author, id, published_at)"
                + " SELECT k.author, k.id, k.published_at FROM %%s ORDER BY k.author, k.id";
        return switch (dialect) {
            case POSTGRESQL ->
                insert.formatted(" AS p")
                        + " ON CONFLICT (author, id) DO UPDATE SET published_at = excluded.published_at"
                        + " WHERE p.published_at <> excluded.published_at";
            case MYSQL, MARIADB -> insert.formatted("") + " ON DUPLICATE KEY UPDATE published_at = k.published_at";
            case H2 ->
                "MERGE INTO ${archive_post} AS p USING (SELECT * FROM %s) AS x ON p.author = x.author AND p.id = x.id"
                        + " WHEN MATCHED AND p.published_at <> x.published_at"
                        + " THEN UPDATE SET published_at = x.published_at"
                        + " WHEN NOT MATCHED THEN INSERT (author, id, published_at)"
                        + " VALUES (x.author, x.id, x.published_at)";
        };
    }

    /**
     * Records the owner of the posts.
     *
     * @throws ForeignStoreException if they belong to another source of truth, or to one that is not recorded
     */
    public void claim(String identity) {
        String before = owner().orElseGet(() -> {
            requireEmpty(identity);
            database.onceOnly(
                    "archive.claim",
                    handle -> database.update(handle, own)
                                    .bind("identity", identity)
                                    .execute()
                            == 1);
            return owner().orElseThrow(() -> new IllegalStateException("the row of the table "
                    + database.sql("${archive_source}") + " was deleted right after it was inserted"));
        });
        if (!before.equals(identity)) {
            throw new ForeignStoreException(
                    place(),
                    before,
                    identity,
                    "give each source of truth an archive of its own; if its database was copied or restored, read"
                            + " docs/reference/archive.md");
        }
    }

    /** Refuses posts whose source of truth is not recorded, unless it was recorded meanwhile. */
    private void requireEmpty(String identity) {
        boolean isEmpty = database.read(
                "archive.claim",
                handle -> database.query(handle, anyPost)
                        .mapTo(Integer.class)
                        .findOne()
                        .isEmpty());
        if (!isEmpty && owner().isEmpty()) {
            throw new ForeignStoreException(
                    place(),
                    "unknown",
                    identity,
                    "use an empty archive, or write the identity of its source of truth into the table "
                            + database.sql("${archive_source}"));
        }
    }

    private String place() {
        return "the posts of the table " + database.sql("${archive_post}");
    }

    private Optional<String> owner() {
        return database.read(
                "archive.claim",
                handle -> database.query(handle, owner).mapTo(String.class).findOne());
    }

    public void store(List<Post> stored) {
        if (!stored.isEmpty()) {
            ParameterTable.Rows rows = PostRows.rows(
                    stored.stream().sorted(PostRows.POSTS_IN_ORDER).toList());
            int unused = database.transaction(
                    "archive.store", handle -> database.upsert(() -> database.execute(handle, store, rows)));
        }
    }

    public void delete(Collection<PostKey> keys) {
        if (!keys.isEmpty()) {
            ParameterTable.Rows rows = PostRows.keys(
                    keys.stream().distinct().sorted(PostRows.KEYS_IN_ORDER).toList());
            int unused = database.transaction("archive.delete", handle -> database.execute(handle, delete, rows));
        }
    }

    public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        return authors.isEmpty()
                ? List.of()
                : database.read("archive.newest", handle -> posts.newest(handle, authors, range, each));
    }

    public List<Post> page(PageQuery query) {
        return query.authors().isEmpty()
                ? List.of()
                : database.read("archive.page", handle -> posts.page(handle, query));
    }

    public Map<PostKey, Post> existing(Collection<PostKey> keys) {
        return existing(database, keys);
    }

    /** As {@link #existing(Collection)}, with another view of the same database. */
    public Map<PostKey, Post> existing(Database reading, Collection<PostKey> keys) {
        return keys.isEmpty() ? Map.of() : reading.read("archive.existing", handle -> existing(handle, keys));
    }

    private Map<PostKey, Post> existing(Handle handle, Collection<PostKey> keys) {
        return database.query(handle, existing, PostRows.keys(Set.copyOf(keys)))
                .map((row, context) -> PostRows.post(row))
                .collect(toUnmodifiableMap(Post::key, post -> post));
    }

    public long size() {
        return database.read(
                "archive.size",
                handle -> database.query(handle, size).mapTo(Long.class).one());
    }
}

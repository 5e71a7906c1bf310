package io.feedkit.jdbc.internal.outbox;

import static java.util.stream.Collectors.toUnmodifiableMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.jdbc.internal.posts.PostRows;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.queue.PostEvent;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Writes a post and the rows that belong to it with one statement, which is atomic with and without a transaction. */
final class PostgresWrites implements PostWrites {

    private static final String TASK =
            "(kind, author, oldest_at, oldest_id, newest_at, newest_id, range_below, created_at, due_at, unsettled_at)";

    private final Database database;
    private final String insert;
    private final String insertOne;
    private final String insertPosts;
    private final String insertImports;
    private final String known;
    private final String adopt;
    private final String insertTombstones;
    private final String entombSql;

    /** @param holdsBack whether a post dated in the future counts as appended at its time, with its task due then */
    PostgresWrites(Database database, boolean recordsEvents, boolean holdsBack) {
        this.database = database;
        String appended = holdsBack ? "greatest(${now}, %s)" : "${now}";
        String publishedAt = "CAST(:publishedAt AS bigint)";
        String posts = PostRows.POSTS.source(Dialect.POSTGRESQL);
        String keys = PostRows.KEYS.source(Dialect.POSTGRESQL);
        String created = recordsEvents ? EventTable.with(PostEvent.Type.CREATED, "p", "appended_at") : "";
        String deleted = recordsEvents ? EventTable.with(PostEvent.Type.DELETED, "p", "${now}") : "";
        insert = database.sql("""
                WITH open AS MATERIALIZED (SELECT %s AS since),
                p AS (INSERT INTO ${post} (author, id, published_at, appended_at)
                      SELECT k.author, k.id, k.published_at, %s FROM open CROSS JOIN %s WHERE open.since IS NOT NULL
                      ON CONFLICT (author, id) DO NOTHING RETURNING author, id, published_at, appended_at),
                t AS (INSERT INTO ${task} %s
                      SELECT k.kind, p.author, p.published_at, p.id, p.published_at, p.id, '%s',
                             least(p.appended_at, ${now}), p.appended_at,
                             CASE WHEN k.kind IN ('PUSH', 'PULL') THEN p.appended_at END
                      FROM p JOIN %s ON k.author = p.author AND k.id = p.id)
                %s
                SELECT author, id${notified} FROM p
                """.formatted(
                        UncommittedAppends.ENTER,
                        appended.formatted("k.published_at"),
                        posts,
                        TASK,
                        KeyRange.END,
                        posts,
                        created));
        insertOne = database.sql("""
                WITH open AS MATERIALIZED (SELECT %s AS since),
                p AS (INSERT INTO ${post} (author, id, published_at, appended_at)
                      SELECT CAST(:author AS varchar), CAST(:id AS varchar), %s, %s
                      FROM open WHERE open.since IS NOT NULL
                      ON CONFLICT (author, id) DO NOTHING RETURNING author, id, published_at, appended_at),
                t AS (INSERT INTO ${task} %s
                      SELECT CAST(:kind AS varchar), author, published_at, id, published_at, id, '%s',
                             least(appended_at, ${now}), appended_at,
                             CASE WHEN CAST(:kind AS varchar) IN ('PUSH', 'PULL') THEN appended_at END FROM p)
                %s
                SELECT author, id${notified} FROM p
                """.formatted(
                UncommittedAppends.ENTER, publishedAt, appended.formatted(publishedAt), TASK, KeyRange.END, created));
        insertPosts = database.sql(
                """
                WITH open AS MATERIALIZED (SELECT %s AS since),
                p AS (INSERT INTO ${post} (author, id, published_at, appended_at)
                      SELECT k.author, k.id, k.published_at, %s FROM open CROSS JOIN %s WHERE open.since IS NOT NULL
                      ON CONFLICT (author, id) DO NOTHING RETURNING author, id, published_at, appended_at)
                %s
                SELECT author, id, appended_at${notified} FROM p
                """.formatted(UncommittedAppends.ENTER, appended.formatted("k.published_at"), posts, created));
        insertImports = database.sql("""
                INSERT INTO ${task} (kind, author, oldest_at, oldest_id, newest_at, newest_id, range_below, created_at,
                       due_at, unsettled_at, shown)
                SELECT k.kind, k.author, k.oldest_at, k.oldest_id, k.newest_at, k.newest_id, '%s', k.since, k.since,
                       k.since, 1
                FROM %s""".formatted(KeyRange.END, PostRows.IMPORTS.source(Dialect.POSTGRESQL)));
        known = database.sql("SELECT p.author, p.id, p.published_at FROM " + keys
                + " JOIN ${post} p ON p.author = k.author AND p.id = k.id");
        adopt = database.sql(
                "INSERT INTO ${post} (author, id, published_at) SELECT k.author, k.id, k.published_at FROM "
                        + PostRows.POSTS.source(Dialect.POSTGRESQL) + " ON CONFLICT (author, id) DO NOTHING");
        insertTombstones =
                database.sql("""
                WITH p AS (INSERT INTO ${post} (author, id) SELECT k.author, k.id FROM %s
                      ON CONFLICT (author, id) DO NOTHING RETURNING author, id),
                r AS (INSERT INTO ${retracting} (author, id) SELECT author, id FROM p),
                t AS (INSERT INTO ${task} %s
                      SELECT 'RETRACT', author, %d, id, %d, id, '%s', ${now}, ${now}, NULL FROM p)
                SELECT author, id${notified} FROM p
                """.formatted(keys, TASK, Position.UNKNOWN_TIME, Position.UNKNOWN_TIME, KeyRange.END));
        entombSql = database.sql("""
                WITH open AS MATERIALIZED (SELECT %s AS since),
                old AS MATERIALIZED (
                      SELECT p.author, p.id, p.published_at,
                             CASE WHEN k.moved = 0 THEN p.published_at ELSE %d END AS entry_at
                      FROM open CROSS JOIN %s JOIN ${post} p ON p.author = k.author AND p.id = k.id
                      WHERE open.since IS NOT NULL AND p.published_at IS NOT NULL
                      ORDER BY p.author, p.id FOR UPDATE OF p),
                p AS (UPDATE ${post} AS post SET published_at = NULL, deleted_at = ${now} FROM old
                      WHERE post.author = old.author AND post.id = old.id
                      RETURNING old.author, old.id, old.published_at, old.entry_at),
                r AS (INSERT INTO ${retracting} (author, id) SELECT author, id FROM p),
                t AS (INSERT INTO ${task} %s
                      SELECT 'RETRACT', author, entry_at, id, entry_at, id, '%s', ${now}, ${now}, NULL FROM p)
                %s
                SELECT author, id${notified} FROM p
                """.formatted(
                        UncommittedAppends.ENTER,
                        Position.UNKNOWN_TIME,
                        PostRows.DELETES.source(Dialect.POSTGRESQL),
                        TASK,
                        KeyRange.END,
                        deleted));
    }

    @Override
    public Set<PostKey> insert(Handle handle, List<Publication> publications) {
        if (publications.size() == 1) {
            return insertOne(handle, publications.get(0));
        }
        return UncommittedAppends.bind(database.query(handle, insert, PostRows.publications(publications)), database)
                .map((row, context) -> PostRows.key(row))
                .collect(toUnmodifiableSet());
    }

    /** Inserts one post without arrays. Arrays are a third of the cost of a publish. */
    private Set<PostKey> insertOne(Handle handle, Publication publication) {
        Post post = publication.post();
        return UncommittedAppends.bind(database.query(handle, insertOne), database)
                .bind("author", post.author())
                .bind("id", post.id())
                .bind("publishedAt", post.publishedAt().toEpochMilli())
                .bind("kind", PostRows.kind(publication.mode()).name())
                .map((row, context) -> PostRows.key(row))
                .collect(toUnmodifiableSet());
    }

    /** Runs two statements, because the tasks depend on which posts are new. */
    @Override
    public Set<PostKey> insertImported(Handle handle, List<Post> posts, FanoutMode mode) {
        Map<PostKey, Long> inserted = UncommittedAppends.bind(
                        database.query(handle, insertPosts, PostRows.imported(posts)), database)
                .map((row, context) -> Map.entry(PostRows.key(row), row.getLong("appended_at")))
                .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
        List<Post> fresh =
                posts.stream().filter(post -> inserted.containsKey(post.key())).toList();
        if (!fresh.isEmpty()) {
            database.execute(handle, insertImports, PostRows.imports(fresh, mode, Collections.min(inserted.values())));
        }
        return inserted.keySet();
    }

    @Override
    public Map<PostKey, Optional<Post>> known(Handle handle, List<PostKey> keys) {
        return database.query(handle, known, PostRows.keys(keys))
                .map((row, context) -> Map.entry(PostRows.key(row), PostRows.known(row)))
                .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public void adopt(Handle handle, List<Post> found) {
        database.execute(handle, adopt, PostRows.retractions(found));
    }

    /** A row that is neither missing nor found has moved to the archive between the two statements. */
    @Override
    public Set<PostKey> entomb(Handle handle, List<PostKey> keys, Set<PostKey> moved) {
        Set<PostKey> entombed = new HashSet<>();
        List<PostKey> left = keys;
        for (int tried = 1; !left.isEmpty(); tried++) {
            PostTable.requireFew(tried, left.get(0));
            List<PostKey> inserted = database.query(handle, insertTombstones, PostRows.keys(left))
                    .map((row, context) -> PostRows.key(row))
                    .list();
            List<PostKey> found = UncommittedAppends.bind(
                            database.query(handle, entombSql, PostRows.deletes(left, moved)), database)
                    .map((row, context) -> PostRows.key(row))
                    .list();
            entombed.addAll(found);
            Set<PostKey> done = new HashSet<>(inserted);
            done.addAll(found);
            List<PostKey> others = PostTable.without(left, done);
            left = others.isEmpty()
                    ? others
                    : PostTable.without(others, known(handle, others).keySet());
        }
        return Set.copyOf(entombed);
    }
}

package io.feedkit.jdbc.internal.outbox;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.jdbc.internal.posts.PostRows;
import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Failures;
import io.feedkit.queue.PostEvent;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * Writes one table at a time, in a transaction, for databases whose statements change only one table: H2, MySQL and
 * MariaDB.
 *
 * <p>A transaction claims a key by inserting its row. A second transaction waits for the first. Then the database
 * refuses its insert, which undoes only that statement, and the second transaction finds the row.
 */
final class PortableWrites implements PostWrites {

    /**
     * If inserts of posts and tasks take longer, they have waited for another transaction. The times of the posts may
     * then be too old for {@link SettledMark}, and are written again.
     */
    private static final long LONG_INSERT_NANOS = MILLISECONDS.toNanos(SettledMark.MARGIN_MILLIS / 2);

    /** How often an insert is repeated because the row that refused it cannot be found. */
    private static final int MOST_VANISHED = 5;

    private final Database database;
    private final LongSupplier nanoTime;
    private final String insertPosts;
    private final String adopt;
    private final String stamp;
    private final String insertTasks;
    private final String insertImports;
    private final String known;
    private final String lock;
    private final String insertTombstones;
    private final String entombSql;
    private final String insertRetracting;
    private final boolean recordsEvents;
    private final String insertCreated;
    private final String insertDeleted;

    /** @param holdsBack whether a post dated in the future counts as appended at its time, with its task due then */
    PortableWrites(Database database, boolean recordsEvents, boolean holdsBack) {
        this(database, recordsEvents, holdsBack, System::nanoTime);
    }

    PortableWrites(Database database, boolean recordsEvents, boolean holdsBack, LongSupplier nanoTime) {
        String appended = holdsBack ? "greatest(${written}, published_at)" : "${written}";
        this.database = database;
        this.recordsEvents = recordsEvents;
        this.nanoTime = nanoTime;
        Dialect dialect = database.dialect();
        String posts = PostRows.POSTS.source(dialect);
        String keys = PostRows.KEYS.source(dialect);
        insertPosts = database.sql("""
                INSERT INTO ${post} (author, id, published_at, appended_at)
                SELECT k.author, k.id, k.published_at, %s FROM %s""".formatted(appended, posts));
        adopt = database.sql(
                "INSERT INTO ${post} (author, id, published_at) SELECT k.author, k.id, k.published_at FROM " + posts);
        insertTasks = database.sql("""
                INSERT INTO ${task} (kind, author, oldest_at, oldest_id, newest_at, newest_id, range_below,
                       created_at, due_at, unsettled_at)
                SELECT k.kind, k.author, k.published_at, k.id, k.published_at, k.id, '%s', ${written},
                       CASE WHEN k.kind = 'RETRACT' THEN ${written} ELSE %s END,
                       CASE WHEN k.kind IN ('PUSH', 'PULL') THEN %s END
                FROM %s""".formatted(KeyRange.END, appended, appended, posts));
        insertImports = database.sql("""
                INSERT INTO ${task} (kind, author, oldest_at, oldest_id, newest_at, newest_id, range_below, created_at,
                       due_at, unsettled_at, shown)
                SELECT k.kind, k.author, k.oldest_at, k.oldest_id, k.newest_at, k.newest_id, '%s', ${written},
                       ${written}, ${written}, 1
                FROM %s""".formatted(KeyRange.END, PostRows.IMPORTS.source(dialect)));
        insertCreated = database.sql(EventTable.insert(dialect, PostEvent.Type.CREATED, posts, appended));
        insertDeleted = database.sql(EventTable.insert(dialect, PostEvent.Type.DELETED, posts, "${written}"));
        String stored = "SELECT p.author, p.id, p.published_at FROM " + keys + dialect.join()
                + "${post} p ON p.author = k.author AND p.id = k.id";
        known = database.sql(stored + dialect.forShare("p"));
        lock = database.sql(stored + dialect.forUpdate("p"));
        insertTombstones = database.sql("INSERT INTO ${post} (author, id) SELECT k.author, k.id FROM " + keys);
        String each = "UPDATE ${post} SET %s WHERE author = :author AND id = :id";
        stamp = database.sql(each.formatted("appended_at = " + appended));
        entombSql = database.sql(each.formatted("published_at = NULL"));
        insertRetracting =
                database.sql("INSERT INTO ${retracting} (author, id, changed) VALUES (:author, :id, ${written})");
    }

    @Override
    public Set<PostKey> insert(Handle handle, List<Publication> publications) {
        return insert(
                handle, publications, fresh -> database.execute(handle, insertTasks, PostRows.publications(fresh)));
    }

    @Override
    public Set<PostKey> insertImported(Handle handle, List<Post> posts, FanoutMode mode) {
        return insert(
                handle,
                posts.stream().map(post -> new Publication(post, mode)).toList(),
                fresh -> database.execute(
                        handle,
                        insertImports,
                        PostRows.imports(fresh.stream().map(Publication::post).toList(), mode, 0)));
    }

    private Set<PostKey> insert(
            Handle handle, List<Publication> publications, Consumer<List<Publication>> recordTasks) {
        List<Publication> fresh = new ArrayList<>(publications);
        long begun = nanoTime.getAsLong();
        Set<PostKey> taken = insertMissing(
                handle,
                publications.stream()
                        .map(publication -> publication.post().key())
                        .toList(),
                free -> {
                    fresh.removeIf(
                            publication -> !free.contains(publication.post().key()));
                    database.execute(handle, insertPosts, PostRows.publications(fresh));
                });
        fresh.removeIf(publication -> taken.contains(publication.post().key()));
        if (fresh.isEmpty()) {
            return Set.of();
        }
        Set<PostKey> keys = new LinkedHashSet<>();
        fresh.forEach(publication -> keys.add(publication.post().key()));
        recordTasks.accept(fresh);
        if (recordsEvents) {
            database.execute(handle, insertCreated, PostRows.publications(fresh));
        }
        if (nanoTime.getAsLong() - begun > LONG_INSERT_NANOS) {
            Batches.run(database, handle, stamp, keys, PortableWrites::bind);
        }
        return keys;
    }

    /** Inserts rows until no key is refused, and returns the keys that other transactions had inserted. */
    private Set<PostKey> insertMissing(Handle handle, List<PostKey> keys, Consumer<Set<PostKey>> insert) {
        Set<PostKey> free = new LinkedHashSet<>(keys);
        Set<PostKey> taken = new HashSet<>();
        int vanished = 0;
        while (!free.isEmpty()) {
            try {
                insert.accept(free);
                break;
            } catch (RuntimeException e) {
                if (!Failures.isDuplicateKey(e)) {
                    throw e;
                }
                // The row that refused the insert may have moved to the archive meanwhile. In a transaction that keeps
                // its first snapshot, the row may also stay invisible. The host has to repeat such a transaction.
                Set<PostKey> known = known(handle, List.copyOf(free)).keySet();
                if (known.isEmpty() && ++vanished == MOST_VANISHED) {
                    throw e;
                }
                taken.addAll(known);
                free.removeAll(known);
            }
        }
        return taken;
    }

    @Override
    public Map<PostKey, Optional<Post>> known(Handle handle, List<PostKey> keys) {
        return stored(handle, known, keys);
    }

    @Override
    public void adopt(Handle handle, List<Post> posts) {
        insertMissing(
                handle,
                posts.stream().map(Post::key).toList(),
                free -> database.execute(
                        handle,
                        adopt,
                        PostRows.retractions(posts.stream()
                                .filter(post -> free.contains(post.key()))
                                .toList())));
    }

    @Override
    public Set<PostKey> entomb(Handle handle, List<PostKey> keys, Set<PostKey> moved) {
        Map<PostKey, Optional<Post>> found = stored(handle, lock, keys);
        List<PostKey> unseen = PostTable.without(keys, found.keySet());
        List<PostKey> inserted = new ArrayList<>();
        for (int tried = 1; !unseen.isEmpty(); tried++) {
            PostTable.requireFew(tried, unseen.get(0));
            Set<PostKey> taken = insertMissing(
                    handle, unseen, free -> database.execute(handle, insertTombstones, PostRows.keys(free)));
            inserted.addAll(PostTable.without(unseen, taken));
            if (!taken.isEmpty()) {
                found.putAll(stored(handle, lock, PostTable.sorted(taken)));
            }
            // A row that refused the insert may have moved to the archive before it was locked.
            unseen = PostTable.without(PostTable.sorted(taken), found.keySet());
        }
        List<Post> posts = found.values().stream()
                .flatMap(Optional::stream)
                .sorted(PostRows.POSTS_IN_ORDER)
                .toList();
        List<PostKey> entombed = posts.stream().map(Post::key).toList();
        Map<PostKey, Position> retracting = new TreeMap<>(PostRows.KEYS_IN_ORDER);
        inserted.forEach(key -> retracting.put(key, Position.ofUnknownTime(key)));
        posts.forEach(post -> retracting.put(
                post.key(), moved.contains(post.key()) ? Position.ofUnknownTime(post.key()) : Position.of(post)));
        if (retracting.isEmpty()) {
            return Set.of();
        }
        Batches.run(database, handle, entombSql, entombed, PortableWrites::bind);
        Batches.run(database, handle, insertRetracting, retracting.keySet(), PortableWrites::bind);
        database.execute(handle, insertTasks, PostRows.places(retracting.values()));
        if (recordsEvents && !posts.isEmpty()) {
            database.execute(handle, insertDeleted, PostRows.retractions(posts));
        }
        return Set.copyOf(entombed);
    }

    private Map<PostKey, Optional<Post>> stored(Handle handle, String sql, List<PostKey> keys) {
        Map<PostKey, Optional<Post>> stored = new HashMap<>();
        database.query(handle, sql, PostRows.keys(keys))
                .map((row, context) -> Map.entry(PostRows.key(row), PostRows.known(row)))
                .forEach(entry -> stored.put(entry.getKey(), entry.getValue()));
        return stored;
    }

    private static PreparedBatch bind(PreparedBatch batch, PostKey key) {
        return batch.bind("author", key.author()).bind("id", key.id());
    }
}

package io.feedkit.jdbc.internal.outbox;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published.Status;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.jdbc.internal.outbox.HostPostLookup.Row;
import io.feedkit.jdbc.internal.posts.PostRows;
import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code post}: every key that was ever published or deleted. A key has one row, with the post or as a
 * tombstone, and the row decides every race.
 *
 * <p>Rows are written in the order of their keys, so that batches wait for each other and do not deadlock. Answers are
 * in the order of the request.
 */
final class PostTable {

    /** How often rows are inserted and locked. A mover may remove them in between. */
    private static final int MOST_TRIES = 5;

    private final Database database;
    private final PostWrites writes;
    private final String stored;
    private final Optional<HostPostLookup> host;
    private final String lock;

    /**
     * Creates the table of a database. The posts are rows of the host's if their lookup is given.
     *
     * @param recordsEvents whether each write also records its events
     */
    PostTable(Database database, Optional<HostPostLookup> host, boolean recordsEvents) {
        this.database = database;
        this.host = host;
        // With published_at IS NULL, H2 would use the index by time.
        stored = database.sql("SELECT p.author, p.id, p.published_at FROM " + PostRows.KEYS.source(database.dialect())
                + database.dialect().join() + "${post} p ON p.author = k.author AND p.id = k.id");
        lock = database.sql("UPDATE ${post} SET appended_at = appended_at WHERE author = :author AND id = :id");
        writes = database.dialect() == Dialect.POSTGRESQL
                ? new PostgresWrites(database, recordsEvents, host.isPresent())
                : new PortableWrites(database, recordsEvents, host.isPresent());
    }

    List<Appended> append(Handle handle, List<Publication> publications) {
        return append(handle, publications, (first, found) -> writes.insert(handle, first));
    }

    /** Rows dated in the future get tasks of their own. */
    List<Appended> appendImported(Handle handle, List<Post> posts, FanoutMode mode) {
        return append(
                handle, posts.stream().map(post -> new Publication(post, mode)).toList(), (first, found) -> {
                    Map<Boolean, List<Publication>> byAhead = first.stream()
                            .collect(partitioningBy(publication ->
                                    isAhead(found.get(publication.post().key()))));
                    Set<PostKey> fresh = new HashSet<>();
                    List<Publication> ahead = requireNonNull(byAhead.get(true));
                    if (!ahead.isEmpty()) {
                        fresh.addAll(writes.insert(handle, ahead));
                    }
                    List<Post> present = requireNonNull(byAhead.get(false)).stream()
                            .map(Publication::post)
                            .toList();
                    if (!present.isEmpty()) {
                        fresh.addAll(writes.insertImported(handle, present, mode));
                    }
                    return fresh;
                });
    }

    private static boolean isAhead(@Nullable Row row) {
        return row != null && row.isAhead();
    }

    private List<Appended> append(
            Handle handle,
            List<Publication> publications,
            BiFunction<List<Publication>, Map<PostKey, Row>, Set<PostKey>> insert) {
        if (publications.isEmpty()) {
            return List.of();
        }
        Map<PostKey, Publication> first = new TreeMap<>(PostRows.KEYS_IN_ORDER);
        publications.forEach(publication -> first.putIfAbsent(publication.post().key(), publication));
        Map<PostKey, Row> found =
                host.map(rows -> requireRows(handle, rows, first)).orElse(Map.of());
        Set<PostKey> fresh = new HashSet<>();
        Map<PostKey, Optional<Post>> known = new HashMap<>();
        List<Publication> left = List.copyOf(first.values());
        for (int tried = 1; !left.isEmpty(); tried++) {
            requireFew(tried, left.get(0).post().key());
            fresh.addAll(insert.apply(left, found));
            List<PostKey> earlier = without(keys(left), fresh);
            known.putAll(earlier.isEmpty() ? Map.of() : writes.known(handle, earlier));
            // A row that refused the insert may have moved to the archive since.
            Set<PostKey> vanished = Set.copyOf(without(earlier, known.keySet()));
            left = left.stream()
                    .filter(publication -> vanished.contains(publication.post().key()))
                    .toList();
        }
        List<Appended> answers = new ArrayList<>(publications.size());
        for (Publication publication : publications) {
            Post post = publication.post();
            if (fresh.remove(post.key())) {
                answers.add(new Appended(Status.NEW, post, isAhead(found.get(post.key()))));
                known.put(post.key(), Optional.of(post));
            } else {
                answers.add(known(post, requireNonNull(known.get(post.key()))));
            }
        }
        return Collections.unmodifiableList(answers);
    }

    private static List<PostKey> keys(Collection<Publication> publications) {
        return publications.stream()
                .map(publication -> publication.post().key())
                .toList();
    }

    private static Appended known(Post post, Optional<Post> row) {
        return row.map(stored -> new Appended(Status.SAME, stored)).orElseGet(() -> new Appended(Status.DELETED, post));
    }

    /** Refuses to insert once more a row that a mover removes again and again. */
    static void requireFew(int tried, PostKey key) {
        if (tried > MOST_TRIES) {
            throw new IllegalStateException(
                    "the row of " + key + " was removed after each of " + MOST_TRIES + " inserts");
        }
    }

    /** Records a post that is not the host's, and returns whether its key is new. */
    boolean insert(Handle handle, Publication publication) {
        return !writes.insert(handle, List.of(publication)).isEmpty();
    }

    /** Returns the answer to an append of a key that has a row; empty if its row has moved to the archive. */
    Optional<Appended> known(Handle handle, Publication publication) {
        Post post = publication.post();
        return Optional.ofNullable(writes.known(handle, List.of(post.key())).get(post.key()))
                .map(row -> known(post, row));
    }

    /**
     * Refuses posts without a row of the host's, because they could not be read, and posts whose row has another time,
     * because they would be in two places of a feed. Posts that were published before are not checked. Returns the
     * rows.
     */
    private Map<PostKey, Row> requireRows(Handle handle, HostPostLookup rows, Map<PostKey, Publication> publications) {
        Map<PostKey, Row> found = rows.find(handle, publications.keySet());
        List<PostKey> wrong = publications.values().stream()
                .map(Publication::post)
                .filter(post -> !hasPost(found.get(post.key()), post))
                .map(Post::key)
                .toList();
        if (wrong.isEmpty()) {
            return found;
        }
        List<PostKey> refused = without(wrong, writes.known(handle, wrong).keySet());
        if (!refused.isEmpty()) {
            PostKey key = refused.get(0);
            Post post = requireNonNull(publications.get(key)).post();
            throw rows.refusal(post, Optional.ofNullable(found.get(key)).map(Row::post));
        }
        return found;
    }

    /** Deletes posts. Those that were archived get their rows back first, so that they are deleted like others. */
    List<Boolean> delete(Handle handle, List<PostKey> keys, Collection<Post> archived) {
        List<Post> missing = archived.stream().sorted(PostRows.POSTS_IN_ORDER).toList();
        for (int tried = 1; !missing.isEmpty(); tried++) {
            requireFew(tried, missing.get(0).key());
            writes.adopt(handle, missing);
            missing = withoutLocked(handle, missing);
        }
        return delete(handle, keys);
    }

    /** Locks rows, so that they do not move, and returns the posts that have no row. */
    private List<Post> withoutLocked(Handle handle, List<Post> posts) {
        int[] found = Batches.run(
                database,
                handle,
                lock,
                posts,
                (batch, post) -> batch.bind("author", post.author()).bind("id", post.id()));
        return IntStream.range(0, found.length)
                .filter(i -> found[i] == 0)
                .mapToObj(posts::get)
                .toList();
    }

    private static boolean hasPost(@Nullable Row row, Post post) {
        return row != null && row.post().equals(post);
    }

    /** Returns the keys that have a tombstone. Locks nothing, and waits for nobody. */
    Set<PostKey> tombstones(Handle handle, Collection<PostKey> keys) {
        return database
                .query(handle, stored, PostRows.keys(sorted(keys)))
                .map((row, context) ->
                        PostRows.known(row).isEmpty() ? Optional.of(PostRows.key(row)) : Optional.<PostKey>empty())
                .stream()
                .flatMap(Optional::stream)
                .collect(toUnmodifiableSet());
    }

    List<Boolean> delete(Handle handle, List<PostKey> keys) {
        if (keys.isEmpty()) {
            return List.of();
        }
        Set<PostKey> moved = host.map(rows -> adopt(handle, rows, sorted(keys))).orElse(Set.of());
        Set<PostKey> deleted = new HashSet<>(writes.entomb(handle, sorted(keys), moved));
        return keys.stream().map(deleted::remove).toList();
    }

    /**
     * Records rows of the host's that were never published, so that they can be deleted. Returns all keys except those
     * of published posts whose rows still have the published time. Inboxes may hold the returned keys with times that
     * are not known here. This includes rows that were never published, because their time may have changed after they
     * were shown.
     */
    private Set<PostKey> adopt(Handle handle, HostPostLookup rows, List<PostKey> keys) {
        Map<PostKey, Optional<Post>> known = writes.known(handle, keys);
        Map<PostKey, Row> found = rows.find(handle, keys);
        List<Post> unknown = found.values().stream()
                .map(Row::post)
                .filter(post -> !known.containsKey(post.key()))
                .sorted(PostRows.POSTS_IN_ORDER)
                .toList();
        if (!unknown.isEmpty()) {
            writes.adopt(handle, unknown);
        }
        return keys.stream()
                .filter(key -> known.getOrDefault(key, Optional.empty())
                        .filter(post -> hasPost(found.get(key), post))
                        .isEmpty())
                .collect(toUnmodifiableSet());
    }

    static List<PostKey> sorted(Collection<PostKey> keys) {
        return keys.stream().distinct().sorted(PostRows.KEYS_IN_ORDER).toList();
    }

    static List<PostKey> without(Collection<PostKey> keys, Set<PostKey> others) {
        return keys.stream().filter(key -> !others.contains(key)).toList();
    }
}

package io.feedkit.jdbc.internal.posts;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Parameter tables of keys and posts, and conversions of result rows to posts. */
public final class PostRows {

    /** Keys of posts: {@code author, id}. */
    public static final ParameterTable KEYS =
            ParameterTable.named("k").text("author").text("id");

    /** Posts, each with the kind of its task: {@code author, id, published_at, kind}. */
    public static final ParameterTable POSTS = ParameterTable.named("k")
            .text("author")
            .text("id")
            .number("published_at")
            .text("kind");

    /** Posts without tasks: {@code author, id, published_at}. */
    public static final ParameterTable ROWS =
            ParameterTable.named("k").text("author").text("id").number("published_at");

    /** Keys to be deleted: {@code author, id, moved}, where {@code moved} is 1 or 0. */
    public static final ParameterTable DELETES =
            ParameterTable.named("k").text("author").text("id").number("moved");

    /** Tasks of imported posts: {@code author, kind, oldest_at, oldest_id, newest_at, newest_id, since}. */
    public static final ParameterTable IMPORTS = ParameterTable.named("k")
            .text("author")
            .text("kind")
            .number("oldest_at")
            .text("oldest_id")
            .number("newest_at")
            .text("newest_id")
            .number("since");

    /** The order of rows that are written: writers that lock them in this order do not deadlock. */
    public static final Comparator<PostKey> KEYS_IN_ORDER =
            Comparator.comparing(PostKey::author).thenComparing(PostKey::id);

    /** Posts in the order of their keys. */
    public static final Comparator<Post> POSTS_IN_ORDER = Comparator.comparing(Post::key, KEYS_IN_ORDER);

    private PostRows() {}

    public static ParameterTable.Rows keys(Collection<PostKey> keys) {
        ParameterTable.Rows rows = KEYS.fill();
        keys.forEach(key -> rows.add(key.author(), key.id()));
        return rows;
    }

    public static ParameterTable.Rows rows(Collection<Post> posts) {
        ParameterTable.Rows rows = ROWS.fill();
        posts.forEach(
                post -> rows.add(post.author(), post.id(), post.publishedAt().toEpochMilli()));
        return rows;
    }

    public static ParameterTable.Rows deletes(Collection<PostKey> keys, Set<PostKey> moved) {
        ParameterTable.Rows rows = DELETES.fill();
        keys.forEach(key -> rows.add(key.author(), key.id(), moved.contains(key) ? 1L : 0L));
        return rows;
    }

    public static ParameterTable.Rows publications(List<Publication> publications) {
        ParameterTable.Rows rows = POSTS.fill();
        publications.forEach(publication -> add(rows, publication.post(), kind(publication.mode())));
        return rows;
    }

    /** Posts that are inserted without tasks. */
    public static ParameterTable.Rows imported(List<Post> posts) {
        ParameterTable.Rows rows = POSTS.fill();
        posts.forEach(post -> add(rows, post, Kind.IMPORT));
        return rows;
    }

    public static ParameterTable.Rows retractions(List<Post> posts) {
        return places(posts.stream().map(Position::of).toList());
    }

    /** Retractions of posts at positions whose times may be unknown. */
    public static ParameterTable.Rows places(Collection<Position> places) {
        ParameterTable.Rows rows = POSTS.fill();
        places.forEach(place -> rows.add(place.author(), place.id(), place.millis(), Kind.RETRACT.name()));
        return rows;
    }

    /**
     * The tasks of imported posts, one for each author.
     *
     * @param since when the first of the posts was recorded
     */
    public static ParameterTable.Rows imports(Collection<Post> posts, FanoutMode mode, long since) {
        SortedMap<String, SortedSet<Position>> byAuthor = new TreeMap<>();
        posts.forEach(post -> byAuthor.computeIfAbsent(post.author(), author -> new TreeSet<>())
                .add(Position.of(post)));
        ParameterTable.Rows rows = IMPORTS.fill();
        for (SortedSet<Position> places : byAuthor.values()) {
            add(rows, mode == FanoutMode.PUSH ? Kind.IMPORT : Kind.PULL, places.first(), places.last(), since);
        }
        return rows;
    }

    private static void add(ParameterTable.Rows rows, Kind kind, Position oldest, Position newest, long since) {
        rows.add(newest.author(), kind.name(), oldest.millis(), oldest.id(), newest.millis(), newest.id(), since);
    }

    private static void add(ParameterTable.Rows rows, Post post, Kind kind) {
        rows.add(post.author(), post.id(), post.publishedAt().toEpochMilli(), kind.name());
    }

    public static PostKey key(ResultSet row) throws SQLException {
        return new PostKey(row.getString("author"), row.getString("id"));
    }

    public static Post post(ResultSet row) throws SQLException {
        return Post.of(row.getString("author"), row.getString("id"), row.getLong("published_at"));
    }

    /** The post, unless the outer join found none. */
    public static Optional<Post> found(ResultSet row) throws SQLException {
        String author = row.getString("author");
        return author == null
                ? Optional.empty()
                : Optional.of(Post.of(author, row.getString("id"), row.getLong("published_at")));
    }

    /** The number in a column, unless it is null. */
    public static Optional<Long> number(ResultSet row, String column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(number);
    }

    /** The post, unless the row is a tombstone. */
    public static Optional<Post> known(ResultSet row) throws SQLException {
        long publishedAt = row.getLong("published_at");
        return row.wasNull()
                ? Optional.empty()
                : Optional.of(Post.of(row.getString("author"), row.getString("id"), publishedAt));
    }

    public static Kind kind(FanoutMode mode) {
        return switch (mode) {
            case PUSH -> Kind.PUSH;
            case PULL -> Kind.PULL;
            case PUSH_ACTIVE -> Kind.PUSH_ACTIVE;
        };
    }
}

package io.feedkit.jdbc.internal.outbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.SourceTable;
import io.feedkit.spi.ArchiveSource;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.WarmPosts;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Moves rows out of the table {@code post}.
 *
 * @param connections returns the connection of a host's transaction, or refuses it
 */
record JdbcArchiveSource(
        Database database,
        SourceTable source,
        ArchivableRows rows,
        PostTable postTable,
        Function<PublishTransaction, Connection> connections)
        implements ArchiveSource {

    @Override
    public long boundary() {
        return source.archiveBoundary();
    }

    @Override
    public long raiseBoundary(long millis) {
        return source.raiseArchiveBoundary(millis);
    }

    @Override
    public boolean leaseMover(String holder, long millis) {
        return source.leaseMover(holder, millis);
    }

    @Override
    public Map<PostKey, Optional<Post>> known(Collection<PostKey> keys) {
        return known(database, rows, keys);
    }

    private static Map<PostKey, Optional<Post>> known(
            Database database, ArchivableRows rows, Collection<PostKey> keys) {
        return keys.isEmpty() ? Map.of() : database.read("outbox.known", handle -> rows.known(handle, keys));
    }

    @Override
    public List<Boolean> delete(List<PostKey> keys, Collection<Post> archived) {
        return keys.isEmpty()
                ? List.of()
                : database.transaction("outbox.delete", handle -> postTable.delete(handle, keys, archived));
    }

    @Override
    public List<String> authors(String after, int limit) {
        return database.read("outbox.authors", handle -> rows.authors(handle, after, limit));
    }

    @Override
    public List<Post> page(PageQuery query) {
        return query.authors().isEmpty() ? List.of() : database.read("outbox.page", handle -> rows.page(handle, query));
    }

    @Override
    public List<Post> movable(List<Post> posts, long settled) {
        return posts.isEmpty()
                ? List.of()
                : database.read("outbox.movable", handle -> rows.movable(handle, posts, settled));
    }

    @Override
    public List<Post> remove(List<Post> posts, long settled) {
        return posts.isEmpty()
                ? List.of()
                : database.transaction("outbox.remove", handle -> rows.remove(handle, posts, settled));
    }

    @Override
    public WarmPosts joining(PublishTransaction transaction) {
        Connection connection = connections.apply(transaction);
        return new Joined(this, database.readingIn(connection), new JoinedOutbox(database, postTable, connection));
    }

    /** The view of a host's transaction. */
    private record Joined(JdbcArchiveSource of, Database reading, JoinedOutbox writing) implements WarmPosts {

        @Override
        public long boundary() {
            return of.source().archiveBoundary(reading);
        }

        @Override
        public Map<PostKey, Optional<Post>> known(Collection<PostKey> keys) {
            return JdbcArchiveSource.known(reading, of.rows(), keys);
        }

        @Override
        public List<Boolean> delete(List<PostKey> keys, Collection<Post> archived) {
            return keys.isEmpty() ? List.of() : writing.delete(keys, archived);
        }
    }
}

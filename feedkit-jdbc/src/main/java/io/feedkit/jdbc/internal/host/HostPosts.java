package io.feedkit.jdbc.internal.host;

import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.PostsTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Failures;
import java.util.StringJoiner;

/**
 * A host's own table of posts, mapped to the columns of FeedKit's: a query with the columns {@code author}, {@code id}
 * and {@code published_at}. The query leaves out rows that have a tombstone in FeedKit's table, and rows that cannot be
 * published because author, id or time is null or not legal. Readers' queries also leave out rows dated in the future
 * by the store's clock, which is the same for all engines.
 */
public final class HostPosts {

    private final String table;
    private final Database reading;
    private final Database all;

    private HostPosts(String table, Database reading, Database all) {
        this.table = table;
        this.reading = reading;
        this.all = all;
    }

    /**
     * Maps a table of posts.
     *
     * @throws IllegalArgumentException if the table or a column is missing, has a wrong type, or cannot be read
     */
    public static HostPosts of(Database database, PostsTable posts) {
        HostTable table = new HostTable("posts", posts.schema(), posts.table());
        HostColumns columns = database.read("store.check", handle -> HostColumns.describe(database, handle, table));
        HostPosts host = new HostPosts(
                table.qualified(),
                database.withPosts(query(database, columns, posts, table, true)),
                database.withPosts(query(database, columns, posts, table, false)));
        host.probe();
        return host;
    }

    private static String query(
            Database database, HostColumns columns, PostsTable posts, HostTable table, boolean withoutFuture) {
        String author = columns.id(posts.author());
        String id = columns.id(posts.id());
        String at = columns.millis(posts.publishedAt(), posts.time());
        StringJoiner wanted = new StringJoiner(" AND ");
        if (withoutFuture) {
            wanted.add(at + " <= ${now}");
        }
        wanted.add(columns.legal(posts.author())).add(columns.legal(posts.id()));
        // A subquery costs one look-up for each row. For a join, a database may read the whole table of tombstones.
        wanted.add(database.sql(
                        "(SELECT t.published_at IS NULL FROM ${post} t WHERE t.author = %s AND t.id = %s) IS NOT TRUE")
                .formatted(author, id));
        // Nearly all rows match. Without the CASE, PostgreSQL would estimate few, and read all posts of an author.
        return ("(SELECT %1$s AS author, %2$s AS id, %3$s AS published_at FROM %4$s h"
                        + " WHERE %3$s BETWEEN %5$d AND %6$d AND CASE WHEN %7$s THEN TRUE ELSE FALSE END)")
                .formatted(
                        author,
                        id,
                        at,
                        table.qualified(),
                        Post.EARLIEST.toEpochMilli(),
                        Post.LATEST.toEpochMilli(),
                        wanted);
    }

    private void probe() {
        String some = reading.sql("SELECT count(*) FROM ${post} p WHERE p.author = 'a' AND p.id = 'a'");
        try {
            reading.read(
                    "store.check",
                    handle -> reading.query(handle, some).mapTo(Long.class).one());
        } catch (StoreUnavailableException e) {
            if (Failures.isRefused(e)) {
                throw new IllegalArgumentException(
                        "posts must name a readable table, but reading " + table + " failed: " + e.getMessage(), e);
            }
            throw e;
        }
    }

    /** The table's name, for messages. */
    public String table() {
        return table;
    }

    /** The database for reads. In its statements <code>${post}</code> stands for the rows not dated in the future. */
    public Database database() {
        return reading;
    }

    /**
     * The database for writes and checks. In its statements <code>${post}</code> also stands for rows dated in the
     * future.
     */
    public Database withThoseAhead() {
        return all;
    }
}

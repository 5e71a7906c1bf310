package io.feedkit.jdbc.internal.host;

import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.Ids;
import io.feedkit.jdbc.PostsTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Failures;
import java.util.StringJoiner;
import org.jdbi.v3.core.Handle;

/**
 * A host's own table of posts in the shape of FeedKit's: a query with the columns {@code author}, {@code id} and
 * {@code published_at}. The query leaves out rows that have a tombstone in FeedKit's table, and rows that cannot be
 * published because author, id or time is missing or not legal.
 */
public final class HostPosts {

    private final String table;
    private final Database reading;

    private HostPosts(String table, Database reading) {
        this.table = table;
        this.reading = reading;
    }

    /**
     * The posts of a table.
     *
     * @throws IllegalArgumentException if the table or a column is missing, has a wrong type, or cannot be read
     */
    public static HostPosts of(Database database, PostsTable posts) {
        String query = database.read("store.check", handle -> query(database, handle, posts));
        HostPosts host = new HostPosts(HostColumns.qualified(posts), database.withPosts(query));
        host.probe();
        return host;
    }

    private static String query(Database database, Handle handle, PostsTable posts) {
        HostColumns columns = HostColumns.describe(database, handle, posts);
        String author = columns.id(posts.author());
        String id = columns.id(posts.id());
        String at = columns.millis();
        StringJoiner wanted = new StringJoiner(" AND ");
        if (columns.isText(posts.author())) {
            wanted.add(legal(database, author));
        }
        if (columns.isText(posts.id())) {
            wanted.add(legal(database, id));
        }
        // A subquery is one look-up for each row. For a join a database may read the whole table of tombstones.
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
                        HostColumns.qualified(posts),
                        Post.EARLIEST.toEpochMilli(),
                        Post.LATEST.toEpochMilli(),
                        wanted);
    }

    /** The condition that a text is an id that {@link Ids} accepts. */
    private static String legal(Database database, String text) {
        String illegal = switch (database.dialect()) {
            case POSTGRESQL -> text + " !~ '[^!-~]'";
            case H2 -> "NOT REGEXP_LIKE(" + text + ", '[^!-~]')";
            case MYSQL, MARIADB -> text + " NOT RLIKE '[^!-~]'";
        };
        return illegal + " AND CHAR_LENGTH(" + text + ") BETWEEN 1 AND " + Ids.MAX_LENGTH;
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
                        "posts must name a table that can be read, but " + table + " cannot: " + e.getMessage(), e);
            }
            throw e;
        }
    }

    /** The table's name, for messages. */
    public String table() {
        return table;
    }

    /** The database for reads, in whose statements <code>${post}</code> is the host's table. */
    public Database database() {
        return reading;
    }
}

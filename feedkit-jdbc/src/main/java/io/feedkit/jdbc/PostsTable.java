package io.feedkit.jdbc;

import io.feedkit.internal.check.Arguments;
import io.feedkit.jdbc.internal.sql.TableNames;

/**
 * A host's own table of posts, or a view on it, from which FeedKit reads posts instead of from its own table; see
 * {@link JdbcFeedStore.Builder#posts}.
 *
 * <pre>{@code
 * PostsTable.named("article").author("author_id").id("id").publishedAt("created_at", PostsTable.Time.MILLIS)
 * }</pre>
 *
 * <p>All names have at most 63 characters (the schema's 30) a-z, 0-9 and _, do not begin with a digit, and are not
 * reserved words of the database. A host whose names differ creates a view.
 *
 * @param schema the schema, in MySQL and MariaDB a database; {@code ""} for the connections' own
 * @param table the table or view
 * @param author the column of authors: text, a whole number or, in H2 and PostgreSQL, a UUID
 * @param id the column of posts' ids, of the same types; author and id together identify a post
 * @param publishedAt the column of the times of posts
 * @param time the kind of the times
 * @since 0.1.0
 */
public record PostsTable(String schema, String table, String author, String id, String publishedAt, Time time) {

    /** The kind of the times in a column. */
    public enum Time {
        /** Milliseconds since 1970, in a whole number. */
        MILLIS,
        /** Timestamps. Those without a time zone are in UTC. Fractions of a millisecond are truncated. */
        TIMESTAMP
    }

    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if one is null or not a plain identifier
     */
    public PostsTable {
        if (!Arguments.nonNull("schema", schema).isEmpty()) {
            TableNames.requireIdentifier("posts' schema", schema);
        }
        require("table", table);
        require("author", author);
        require("id", id);
        require("publishedAt", publishedAt);
        Arguments.nonNull("time", time);
    }

    private static void require(String component, String name) {
        TableNames.requireHostIdentifier("posts' " + component, Arguments.nonNull(component, name));
    }

    /**
     * Describes a table in the connections' own schema, with the columns {@code author}, {@code id} and
     * {@code published_at} (in milliseconds).
     *
     * @param table the table
     * @return the mapping
     * @throws IllegalArgumentException if the name is not a plain identifier
     */
    public static PostsTable named(String table) {
        return new PostsTable("", table, "author", "id", "published_at", Time.MILLIS);
    }

    /**
     * Returns this mapping with another schema.
     *
     * @param schema the schema
     * @return the mapping
     * @throws IllegalArgumentException if the name is not a plain identifier
     */
    public PostsTable schema(String schema) {
        return new PostsTable(schema, table, author, id, publishedAt, time);
    }

    /**
     * Returns this mapping with another column of authors.
     *
     * @param author the column
     * @return the mapping
     * @throws IllegalArgumentException if the name is not a plain identifier
     */
    public PostsTable author(String author) {
        return new PostsTable(schema, table, author, id, publishedAt, time);
    }

    /**
     * Returns this mapping with another column of ids.
     *
     * @param id the column
     * @return the mapping
     * @throws IllegalArgumentException if the name is not a plain identifier
     */
    public PostsTable id(String id) {
        return new PostsTable(schema, table, author, id, publishedAt, time);
    }

    /**
     * Returns this mapping with another column of times.
     *
     * @param publishedAt the column
     * @param time the kind of its times
     * @return the mapping
     * @throws IllegalArgumentException if the name is not a plain identifier, or the time is null
     */
    public PostsTable publishedAt(String publishedAt, Time time) {
        return new PostsTable(schema, table, author, id, publishedAt, time);
    }
}

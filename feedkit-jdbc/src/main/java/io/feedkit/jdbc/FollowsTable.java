package io.feedkit.jdbc;

import io.feedkit.Beta;
import io.feedkit.internal.check.Arguments;
import io.feedkit.jdbc.internal.sql.TableNames;

/**
 * A host's own table of follows, or a view on it, which FeedKit reads as its follow graph and never writes; see
 * {@link JdbcFeedStore.Builder#follows}.
 *
 * <pre>{@code
 * FollowsTable.named("follows").follower("follower_id").followee("followee_id")
 * }</pre>
 *
 * <p>Each row is an edge. Names follow the rules of {@link PostsTable}. Rows whose ids are null or not legal are
 * ignored.
 *
 * @param schema the schema, in MySQL and MariaDB a database; {@code ""} for the connections' own
 * @param table the table or view
 * @param follower the column of followers: text, a whole number or, in H2 and PostgreSQL, a UUID
 * @param followee the column of followees, of the same types
 * @since 0.1.0
 */
@Beta
public record FollowsTable(String schema, String table, String follower, String followee) {

    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if one is null or not a plain identifier
     */
    public FollowsTable {
        if (!Arguments.nonNull("schema", schema).isEmpty()) {
            TableNames.requireIdentifier("follows' schema", schema);
        }
        require("table", table);
        require("follower", follower);
        require("followee", followee);
    }

    private static void require(String component, String name) {
        TableNames.requireHostIdentifier("follows' " + component, Arguments.nonNull(component, name));
    }

    /**
     * Describes a table in the connections' own schema, with the columns {@code follower} and {@code followee}.
     *
     * @param table the table
     * @return the mapping
     * @throws IllegalArgumentException if the name is not a plain identifier
     */
    public static FollowsTable named(String table) {
        return new FollowsTable("", table, "follower", "followee");
    }

    /**
     * Returns this mapping with another schema.
     *
     * @param schema the schema
     * @return the mapping
     * @throws IllegalArgumentException if the name is not a plain identifier
     */
    public FollowsTable schema(String schema) {
        return new FollowsTable(schema, table, follower, followee);
    }

    /**
     * Returns this mapping with another column of followers.
     *
     * @param follower the column
     * @return the mapping
     * @throws IllegalArgumentException if the name is not a plain identifier
     */
    public FollowsTable follower(String follower) {
        return new FollowsTable(schema, table, follower, followee);
    }

    /**
     * Returns this mapping with another column of followees.
     *
     * @param followee the column
     * @return the mapping
     * @throws IllegalArgumentException if the name is not a plain identifier
     */
    public FollowsTable followee(String followee) {
        return new FollowsTable(schema, table, follower, followee);
    }
}

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
 * <p>A row is an edge. Names are as those of {@link PostsTable}. Rows whose ids are missing or not legal are no edges.
 *
 * @param schema the schema, in MySQL and MariaDB a database; {@code ""} for the connections' own
 * @param table the table or view
 * @param follower the column of those who follow: text, a whole number or, in H2 and PostgreSQL, a UUID
 * @param followee the column of those who are followed, of the same types
 * @since 0.1.0
 */
@Beta
public record FollowsTable(String schema, String table, String follower, String followee) {

    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if one is null or no plain identifier
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
     * A table in the connections' own schema, with the columns {@code follower} and {@code followee}.
     *
     * @param table the table
     * @return the mapping
     * @throws IllegalArgumentException if the name is no plain identifier
     */
    public static FollowsTable named(String table) {
        return new FollowsTable("", table, "follower", "followee");
    }

    /**
     * The same in another schema.
     *
     * @param schema the schema
     * @return the mapping
     * @throws IllegalArgumentException if the name is no plain identifier
     */
    public FollowsTable schema(String schema) {
        return new FollowsTable(schema, table, follower, followee);
    }

    /**
     * The same with another column of those who follow.
     *
     * @param follower the column
     * @return the mapping
     * @throws IllegalArgumentException if the name is no plain identifier
     */
    public FollowsTable follower(String follower) {
        return new FollowsTable(schema, table, follower, followee);
    }

    /**
     * The same with another column of those who are followed.
     *
     * @param followee the column
     * @return the mapping
     * @throws IllegalArgumentException if the name is no plain identifier
     */
    public FollowsTable followee(String followee) {
        return new FollowsTable(schema, table, follower, followee);
    }
}

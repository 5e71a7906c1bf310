package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.FollowGraphCompatibilityKit.UserIds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** A host's own table of follows, with ids of one type and the indexes that FeedKit asks for. */
record HostFollows(TestDatabase database, Kind kind, UserIds ids) {

    static HostFollows create(TestDatabase database, Kind kind, UserIds ids) {
        HostFollows follows = new HostFollows(database, kind, ids);
        follows.createWithoutIndexes();
        String table = follows.table();
        follows.execute(
                "CREATE UNIQUE INDEX " + table + "_by_follower ON " + table + " (follower_id, followee_id)",
                "CREATE INDEX " + table + "_by_followee ON " + table + " (followee_id, " + follows.ordered() + ")");
        return follows;
    }

    void createWithoutIndexes() {
        execute(
                "DROP TABLE IF EXISTS " + table(),
                "CREATE TABLE " + table() + " (follower_id " + type() + ", followee_id " + type()
                        + ", since bigint DEFAULT 0)");
    }

    String table() {
        return "follows_" + ids.name().toLowerCase(Locale.ROOT);
    }

    FollowsTable mapping() {
        return FollowsTable.named(table()).follower("follower_id").followee("followee_id");
    }

    private String type() {
        return switch (ids) {
            case NUMBERS -> "bigint";
            case UUIDS -> "uuid";
            case TEXT ->
                kind == Kind.MARIADB || kind == Kind.MYSQL
                        ? "varchar(64) CHARACTER SET ascii COLLATE ascii_bin"
                        : "varchar(64)";
        };
    }

    private String ordered() {
        return switch (kind) {
            case POSTGRESQL ->
                ids == UserIds.TEXT ? "follower_id COLLATE \"C\"" : "(CAST(follower_id AS varchar)) COLLATE \"C\"";
            case MYSQL ->
                ids == UserIds.TEXT
                        ? "follower_id"
                        : "(CAST(follower_id AS char(20) CHARACTER SET ascii) COLLATE ascii_bin)";
            case H2, MARIADB -> "follower_id";
        };
    }

    void execute(String... statements) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    void insert(List<Edge> edges) {
        change("INSERT INTO " + table() + " (follower_id, followee_id) VALUES (?, ?)", edges);
    }

    void delete(List<Edge> edges) {
        change("DELETE FROM " + table() + " WHERE follower_id = ? AND followee_id = ?", edges);
    }

    private void change(String sql, List<Edge> edges) {
        try (Connection connection = database.dataSource().getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (Edge edge : edges) {
                statement.setObject(1, id(edge.reader()));
                statement.setObject(2, id(edge.author()));
                statement.addBatch();
            }
            statement.executeBatch();
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private Object id(String id) {
        return switch (ids) {
            case TEXT -> id;
            case NUMBERS -> Long.parseLong(id);
            case UUIDS -> UUID.fromString(id);
        };
    }
}

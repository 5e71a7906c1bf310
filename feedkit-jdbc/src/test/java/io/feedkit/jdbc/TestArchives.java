package io.feedkit.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Archives in the databases of tests. */
final class TestArchives {

    private TestArchives() {}

    /** An empty archive that no source of truth has claimed. */
    static JdbcPostArchive empty(TestDatabase database) {
        JdbcPostArchive.createTables(database.dataSource());
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM feedkit_archive_post");
            statement.execute("DELETE FROM feedkit_archive_source");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return JdbcPostArchive.of(database.dataSource());
    }
}

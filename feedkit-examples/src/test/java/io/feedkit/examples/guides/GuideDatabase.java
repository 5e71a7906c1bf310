package io.feedkit.examples.guides;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Databases of the shared PostgreSQL server, on which guides are tried. */
final class GuideDatabase {

    private GuideDatabase() {}

    /** Opens a pool on a new database. */
    static HikariDataSource empty() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(PostgresServer.shared().createDatabase());
        return new HikariDataSource(config);
    }

    /** Opens a pool on a new database with FeedKit's tables. */
    static HikariDataSource withFeedKit() {
        HikariDataSource dataSource = empty();
        JdbcSchema.of(dataSource).create();
        return dataSource;
    }

    /**
     * Creates a database in which a new user may create tables.
     *
     * @param user the user's name, which the returned URL does not have
     */
    static String ofUser(String user) throws SQLException {
        String url = PostgresServer.shared().createDatabase();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE " + user + " LOGIN");
            statement.execute("GRANT CREATE ON SCHEMA public TO " + user);
        }
        return url.replace("?user=postgres", "");
    }

    /** Executes one statement, or several that end with semicolons. */
    static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Counts the rows of a table. */
    static long rows(DataSource dataSource, String table) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("SELECT count(*) FROM " + table)) {
            count.next();
            return count.getLong(1);
        }
    }
}

package io.feedkit.examples.host;

import io.feedkit.jdbc.JdbcTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The database of an application, by plain JDBC. */
record Database(DataSource dataSource) {

    /** Work in a transaction. */
    interface Work<T> {
        T run(Connection connection, JdbcTransaction transaction) throws SQLException;
    }

    <T> T inTransaction(Work<T> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            T result = work.run(connection, JdbcTransaction.of(connection));
            connection.commit();
            return result;
        }
    }

    static void execute(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    List<List<Object>> query(String sql, long value) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, value);
            try (ResultSet rows = statement.executeQuery()) {
                List<List<Object>> found = new ArrayList<>();
                while (rows.next()) {
                    List<Object> row = new ArrayList<>();
                    for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                        row.add(rows.getObject(i));
                    }
                    found.add(row);
                }
                return found;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.feedkit.jdbc.survival;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Reads the tables and the server's state, on connections of its own. */
final class Probe {

    private final String url;

    Probe(String url) {
        this.url = url;
    }

    /** Tasks that are done for some of their readers. */
    long halfDoneTasks() throws SQLException {
        return count("SELECT count(*) FROM feedkit_task WHERE due_at IS NOT NULL AND after_id <> ''");
    }

    /** Unfinished tasks. */
    long unfinishedTasks() throws SQLException {
        return count("SELECT count(*) FROM feedkit_task WHERE due_at IS NOT NULL");
    }

    /**
     * The age of the oldest open transaction that waits for its host, in whole seconds of the database's clock.
     */
    long oldestHeldSeconds() throws SQLException {
        return count("SELECT floor(extract(epoch FROM max(clock_timestamp() - xact_start))) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND state = 'idle in transaction'");
    }

    /** Terminates all other connections, and returns their number. */
    long terminateOthers() throws SQLException {
        return count("SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }

    /** Connections that wait for a lock. */
    long waitingForLocks() throws SQLException {
        return count("SELECT count(*) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0");
    }

    /** Deadlocks that the server has ended. A connection reports its own ones with a delay. */
    long deadlocks() throws SQLException {
        return count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    }

    long count(String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(query)) {
            answer.next();
            return answer.getLong(1);
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

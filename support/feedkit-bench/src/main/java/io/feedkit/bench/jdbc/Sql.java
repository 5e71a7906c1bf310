package io.feedkit.bench.jdbc;

import java.sql.SQLException;

/** Calls of JDBC without checked exceptions. */
public final class Sql {

    private Sql() {}

    /** A call of JDBC. */
    public interface Call<T> {
        T run() throws SQLException;
    }

    /** A call of JDBC without an answer. */
    public interface Action {
        void run() throws SQLException;
    }

    public static <T> T call(Call<T> call) {
        try {
            return call.run();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void run(Action action) {
        call(() -> {
            action.run();
            return true;
        });
    }
}

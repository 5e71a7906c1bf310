package io.feedkit.jdbc;

import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_READ_UNCOMMITTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.TestDataSources.Before;
import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.outbox.JdbcOutbox;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work that fails in the middle. */
class BrokenWorkTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final TestDatabase test = TestDatabase.h2();
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = test.dataSource().getConnection();
    }

    @AfterEach
    void close() throws SQLException {
        connection.rollback();
        connection.close();
        test.close();
    }

    @ParameterizedTest(name = "autocommit {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("a transaction that ends with an Error leaves no rows")
    void error(boolean autoCommit) throws SQLException {
        connection.setAutoCommit(autoCommit);
        Database database = on((method, arguments) -> {});
        assertThatThrownBy(() -> breakOff(database)).isInstanceOf(AssertionError.class);
        assertThat(database.read("test", BrokenWorkTest::posts)).isZero();
        assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
        connection.setAutoCommit(false);
    }

    @Test
    @DisplayName("a connection that cannot roll back is aborted")
    void aborted() throws SQLException {
        List<String> calls = new ArrayList<>();
        Database database = on((method, arguments) -> {
            calls.add(method + List.of(arguments));
            failOn("rollback", method);
        });
        assertThatThrownBy(() -> breakOff(database)).isInstanceOf(AssertionError.class);
        assertThat(calls).contains("setAutoCommit[false]").doesNotContain("setAutoCommit[true]");
        assertThat(calls).filteredOn(call -> call.startsWith("abort")).hasSize(1);
    }

    @Test
    @DisplayName("after a failed commit the outcome of a write is unknown, and a read is unavailable")
    void failedCommit() throws SQLException {
        connection.setAutoCommit(false);
        Database database = on((method, arguments) -> failOn("commit", method));
        assertThatThrownBy(() -> database.read("test", BrokenWorkTest::posts))
                .isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> database.transaction("test", BrokenWorkTest::insert))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    @DisplayName("a settled mark that cannot be read leaves the isolation of the connection unchanged")
    void isolation() throws SQLException {
        connection.setAutoCommit(false);
        Database database = on((method, arguments) -> {
            if (method.equals("commit") && connection.getTransactionIsolation() == TRANSACTION_READ_UNCOMMITTED) {
                failOn("commit", method);
            }
        });
        JdbcOutbox outbox = new JdbcOutbox(database, new JdbcFanoutLog(database));
        assertThatThrownBy(outbox::settledMark).isInstanceOf(StoreUnavailableException.class);
        assertThat(connection.getTransactionIsolation()).isEqualTo(TRANSACTION_READ_COMMITTED);
    }

    @Test
    @DisplayName("work that other transactions roll back is not tried again after the time-out")
    void timeOver() throws SQLException {
        connection.setAutoCommit(false);
        Database database = database(test.dataSource(), Duration.ofNanos(1));
        AtomicInteger tries = new AtomicInteger();
        assertThatThrownBy(() -> database.transaction("test", handle -> {
                    tries.incrementAndGet();
                    throw new IllegalStateException(new SQLException("deadlock", "40001"));
                }))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(tries).hasValue(1);
    }

    @Test
    @DisplayName("a transaction whose upsert fails again and again is repeated, and then succeeds")
    void lostUpserts() {
        Database database = database(test.dataSource(), TIMEOUT);
        AtomicInteger transactions = new AtomicInteger();
        int answer = database.transaction("test", handle -> {
            boolean first = transactions.incrementAndGet() == 1;
            return database.upsert(() -> {
                if (first) {
                    throw new IllegalStateException(new SQLException("duplicate key", "23505"));
                }
                return 7;
            });
        });
        assertThat(answer).isEqualTo(7);
        assertThat(transactions).hasValue(2);
    }

    /** A database with one connection, which stays open when the store returns it. */
    private Database on(Before before) {
        return database(TestDataSources.single(test.dataSource(), TestDataSources.before(connection, before)), TIMEOUT);
    }

    private static Database database(DataSource dataSource, Duration timeout) {
        return new Database(dataSource, new TableNames("", JdbcSchema.DEFAULT_PREFIX), Optional.empty(), timeout);
    }

    private static void failOn(String failing, String method) throws SQLException {
        if (method.equals(failing)) {
            throw new SQLException("cut", "08006");
        }
    }

    private static int breakOff(Database database) {
        return database.transaction("test", handle -> {
            insert(handle);
            throw new AssertionError("broken off");
        });
    }

    private static int insert(Handle handle) {
        return handle.execute("INSERT INTO feedkit_post (author, id) VALUES ('bob', '1')");
    }

    private static int posts(Handle handle) {
        return handle.createQuery("SELECT count(*) FROM feedkit_post")
                .mapTo(Integer.class)
                .one();
    }
}

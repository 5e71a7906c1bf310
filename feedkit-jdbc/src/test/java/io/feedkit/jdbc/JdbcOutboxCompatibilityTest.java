package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.outbox.JdbcOutbox;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.EventRecordingOutboxCompatibilityKit;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
class JdbcOutboxCompatibilityTest extends EventRecordingOutboxCompatibilityKit {

    private interface End {
        void run() throws SQLException;
    }

    private final Kind kind;
    private final TestDatabase database;
    private @Nullable TransactionalOutbox outbox;

    JdbcOutboxCompatibilityTest(Kind kind) {
        this.kind = kind;
        database = TestDatabase.lent(kind);
    }

    TransactionalOutbox newOutbox(Kind kind, TestDatabase database) {
        return new JdbcOutbox(database.database(), new JdbcFanoutLog(database.database()));
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Override
    protected TransactionalOutbox outbox() {
        if (outbox == null) {
            outbox = newOutbox(kind, database);
        }
        return outbox;
    }

    @Override
    protected HostTransaction begin() {
        return begin(database, kind);
    }

    /**
     * A host's transaction, on a connection from its pool. In MySQL it is at READ COMMITTED. At REPEATABLE READ an
     * insert over a row that the last test deleted also locks the gap before that row, as long as MySQL keeps the
     * deleted row. That lock would block inserts that the kit expects to succeed.
     */
    static HostTransaction begin(TestDatabase database, Kind kind) {
        try {
            Connection connection = database.dataSource().getConnection();
            connection.setAutoCommit(false);
            if (kind == Kind.MYSQL) {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            return new HostTransaction(
                    JdbcTransaction.of(connection),
                    end(connection, connection::commit),
                    end(connection, connection::rollback));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static Runnable end(Connection connection, End end) {
        return () -> {
            try (connection) {
                end.run();
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        };
    }

    @Override
    protected void pass(Duration duration) {
        database.clock().advance(duration);
    }

    @Override
    protected long now() {
        return database.clock().millis();
    }
}

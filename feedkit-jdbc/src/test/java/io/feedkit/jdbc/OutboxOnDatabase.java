package io.feedkit.jdbc;

import io.feedkit.jdbc.internal.host.HostPosts;
import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.outbox.JdbcOutbox;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.TransactionalOutboxCompatibilityKit;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** Binds the outbox's kit to a database. */
abstract class OutboxOnDatabase extends TransactionalOutboxCompatibilityKit {

    private interface End {
        void run() throws SQLException;
    }

    private final TestDatabase database;
    private final TransactionalOutbox outbox;

    OutboxOnDatabase(TestDatabase database) {
        this(database, new JdbcOutbox(database.database(), new JdbcFanoutLog(database.database())));
    }

    OutboxOnDatabase(TestDatabase database, TransactionalOutbox outbox) {
        this.database = database;
        this.outbox = outbox;
    }

    /** Posts in a table of the host's, which inserts their rows as it publishes. */
    OutboxOnDatabase(HostTable table) {
        this(
                table.database(),
                new HostedOutbox(
                        new JdbcOutbox(
                                table.database().database(),
                                new JdbcFanoutLog(table.database().database()),
                                Optional.of(HostPosts.of(table.database().database(), HostTable.MAPPING))),
                        table));
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Override
    protected TransactionalOutbox outbox() {
        return outbox;
    }

    /** A host's transaction, on a connection from its pool. */
    @Override
    protected HostTransaction begin() {
        try {
            Connection connection = database.dataSource().getConnection();
            connection.setAutoCommit(false);
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

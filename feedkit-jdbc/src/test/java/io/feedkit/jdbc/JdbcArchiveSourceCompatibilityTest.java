package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.outbox.JdbcOutbox;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.ArchiveSourceCompatibilityKit;
import io.feedkit.testkit.TransactionalOutboxCompatibilityKit.HostTransaction;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
class JdbcArchiveSourceCompatibilityTest extends ArchiveSourceCompatibilityKit {

    private final Kind kind;
    private final TestDatabase database;
    private final TransactionalOutbox outbox;

    JdbcArchiveSourceCompatibilityTest(Kind kind) {
        this.kind = kind;
        database = TestDatabase.lent(kind);
        outbox = new JdbcOutbox(database.database(), new JdbcFanoutLog(database.database()));
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Override
    protected TransactionalOutbox outbox() {
        return outbox;
    }

    @Override
    protected HostTransaction begin() {
        return JdbcOutboxCompatibilityTest.begin(database, kind);
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

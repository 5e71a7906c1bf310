package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.outbox.JdbcOutbox;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.FanoutLogCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases(allCases = Kind.POSTGRESQL)
class JdbcFanoutLogCompatibilityTest extends FanoutLogCompatibilityKit {

    private final TestDatabase database;
    private final Outbox outbox;

    JdbcFanoutLogCompatibilityTest(Kind kind) {
        database = TestDatabase.lent(kind);
        outbox = new JdbcOutbox(database.database(), new JdbcFanoutLog(database.database()));
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Override
    protected Outbox outbox() {
        return outbox;
    }

    @Override
    protected FanoutLog anotherLog() {
        return new JdbcFanoutLog(database.database());
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

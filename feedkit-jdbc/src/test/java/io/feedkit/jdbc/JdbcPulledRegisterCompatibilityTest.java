package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.outbox.JdbcOutbox;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.PulledRegisterCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
class JdbcPulledRegisterCompatibilityTest extends PulledRegisterCompatibilityKit {

    private final TestDatabase database;
    private final Outbox outbox;

    JdbcPulledRegisterCompatibilityTest(Kind kind) {
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
    protected void pass(Duration duration) {
        database.clock().advance(duration);
    }

    @Override
    protected long now() {
        return database.clock().millis();
    }
}

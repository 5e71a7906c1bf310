package io.feedkit.jdbc;

import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.outbox.JdbcOutbox;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.PulledRegisterCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** Binds the register's kit to a database. */
abstract class RegisterOnDatabase extends PulledRegisterCompatibilityKit {

    private final TestDatabase database;
    private final Outbox outbox;

    RegisterOnDatabase(TestDatabase database) {
        this.database = database;
        this.outbox = new JdbcOutbox(database.database(), new JdbcFanoutLog(database.database()));
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

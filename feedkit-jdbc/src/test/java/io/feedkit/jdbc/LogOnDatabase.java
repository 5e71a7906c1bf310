package io.feedkit.jdbc;

import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.outbox.JdbcOutbox;
import io.feedkit.spi.Outbox;
import io.feedkit.testkit.FanoutLogCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** Binds the log's kit to a database. */
abstract class LogOnDatabase extends FanoutLogCompatibilityKit {

    private final TestDatabase database;
    private final Outbox outbox;

    LogOnDatabase(TestDatabase database) {
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

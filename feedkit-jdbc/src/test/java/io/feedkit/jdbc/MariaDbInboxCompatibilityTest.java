package io.feedkit.jdbc;

import io.feedkit.jdbc.internal.inbox.JdbcInbox;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.InboxCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

class MariaDbInboxCompatibilityTest extends InboxCompatibilityKit {

    private final TestDatabase database = TestDatabase.mariaDb();

    @Override
    protected Inbox inbox(InboxLimits limits) {
        return new JdbcInbox(database.database(), limits);
    }

    @Override
    protected void pass(Duration duration) {
        database.clock().advance(duration);
    }

    @Override
    protected long now() {
        return database.clock().millis();
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** A tenth of a second each, where other databases need a hundredth. */
    @Override
    protected int randomSequences() {
        return 10;
    }
}

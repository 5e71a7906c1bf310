package io.feedkit.jdbc;

import io.feedkit.jdbc.internal.inbox.JdbcInbox;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.InboxCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("docker")
class MySqlInboxCompatibilityTest extends InboxCompatibilityKit {

    private final TestDatabase database = MySqlDatabase.empty();

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
}

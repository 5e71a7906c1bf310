package io.feedkit.jdbc;

import io.feedkit.jdbc.internal.unread.JdbcUnreadCounter;
import io.feedkit.spi.UnreadCounter;
import io.feedkit.testkit.UnreadCounterCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("docker")
class MySqlUnreadCounterCompatibilityTest extends UnreadCounterCompatibilityKit {

    private final TestDatabase database = MySqlDatabase.empty();
    private final UnreadCounter unread = new JdbcUnreadCounter(database.database());

    @AfterEach
    void close() {
        database.close();
    }

    @Override
    protected UnreadCounter unread() {
        return unread;
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

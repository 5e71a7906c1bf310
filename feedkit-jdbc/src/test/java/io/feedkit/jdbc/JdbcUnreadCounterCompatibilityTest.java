package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.unread.JdbcUnreadCounter;
import io.feedkit.spi.UnreadCounter;
import io.feedkit.testkit.UnreadCounterCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
class JdbcUnreadCounterCompatibilityTest extends UnreadCounterCompatibilityKit {

    private final TestDatabase database;
    private final UnreadCounter unread;

    JdbcUnreadCounterCompatibilityTest(Kind kind) {
        database = TestDatabase.lent(kind);
        unread = new JdbcUnreadCounter(database.database());
    }

    @AfterEach
    void closeDatabase() {
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

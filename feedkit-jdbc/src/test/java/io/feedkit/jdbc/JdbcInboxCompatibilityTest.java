package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.inbox.JdbcInbox;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.InboxCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases(allCases = Kind.POSTGRESQL)
class JdbcInboxCompatibilityTest extends InboxCompatibilityKit {

    private final TestDatabase database;

    JdbcInboxCompatibilityTest(Kind kind) {
        database = TestDatabase.lent(kind);
    }

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
    void closeDatabase() {
        database.close();
    }

    /** Each sequence takes 10 to 100 ms. */
    @Override
    protected int randomSequences() {
        return 5;
    }

    @Override
    protected int moreRandomSequences() {
        return 15;
    }
}

package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.seen.JdbcSeenMarks;
import io.feedkit.spi.SeenMarks;
import io.feedkit.testkit.SeenMarksCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
class JdbcSeenMarksCompatibilityTest extends SeenMarksCompatibilityKit {

    private final TestDatabase database;
    private final SeenMarks seenMarks;

    JdbcSeenMarksCompatibilityTest(Kind kind) {
        database = TestDatabase.lent(kind);
        seenMarks = new JdbcSeenMarks(database.database());
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Override
    protected SeenMarks seenMarks() {
        return seenMarks;
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

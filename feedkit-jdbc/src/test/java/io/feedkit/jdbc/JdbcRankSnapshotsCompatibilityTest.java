package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.rank.JdbcRankSnapshots;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.testkit.RankSnapshotsCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
class JdbcRankSnapshotsCompatibilityTest extends RankSnapshotsCompatibilityKit {

    private final TestDatabase database;
    private final RankSnapshots rankSnapshots;

    JdbcRankSnapshotsCompatibilityTest(Kind kind) {
        database = TestDatabase.lent(kind);
        rankSnapshots = new JdbcRankSnapshots(database.database());
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Override
    protected RankSnapshots rankSnapshots() {
        return rankSnapshots;
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

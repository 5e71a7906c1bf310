package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.PostArchive;
import io.feedkit.testkit.PostArchiveCompatibilityKit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
class JdbcPostArchiveCompatibilityTest extends PostArchiveCompatibilityKit {

    private final TestDatabase database;
    private final JdbcPostArchive archive;

    JdbcPostArchiveCompatibilityTest(Kind kind) {
        database = TestDatabase.lent(kind);
        archive = TestArchives.empty(database);
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Override
    protected PostArchive archive() {
        return archive;
    }

    @Override
    protected PostArchive anotherProcess() {
        return JdbcPostArchive.of(database.dataSource());
    }
}

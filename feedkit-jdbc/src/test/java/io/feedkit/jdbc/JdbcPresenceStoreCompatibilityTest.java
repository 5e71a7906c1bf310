package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.presence.JdbcPresenceStore;
import io.feedkit.spi.PresenceStore;
import io.feedkit.testkit.PresenceStoreCompatibilityKit;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
class JdbcPresenceStoreCompatibilityTest extends PresenceStoreCompatibilityKit {

    private final TestDatabase database;
    private final JdbcPresenceStore presence;

    JdbcPresenceStoreCompatibilityTest(Kind kind) {
        database = TestDatabase.lent(kind);
        presence = new JdbcPresenceStore(database.database());
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Override
    protected PresenceStore presence() {
        return presence;
    }

    @Override
    protected void removeExpired() {
        while (presence.purge(500) > 0) {
            assertThat(presence.countOnline()).isPositive();
        }
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

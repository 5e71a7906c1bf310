package io.feedkit.survival.copies;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.survival.Kills.Outcome;
import io.feedkit.testservers.CassandraServer;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("survival")
@EnabledIf("io.feedkit.testservers.CassandraServer#isInstalled")
@DisplayName("Inboxes that are filled from copies")
class KilledCopiesTest {

    /** One point for each role; the command {@code kill-copies} has all. */
    @ParameterizedTest
    @EnumSource(names = {"COPIER_WITHIN_STORE", "FILLER_AFTER_MERGE"})
    @Timeout(90)
    @DisplayName("survive a kill: no feed is wrong, and no deleted post is left")
    void killed(CopyPoint point) throws Exception {
        String name = "test-" + point.name().toLowerCase(Locale.ROOT);
        CassandraServer server = CassandraServer.shared();
        try (CopyStore store = CopyStore.open(server.address())) {
            CopyRun run = new CopyRun(PostgresServer.shared(), RedisServer.shared(), server, store, point, 1, name);
            Outcome outcome = run.run();
            assertThat(outcome.reached()).as("%s was reached", point).isTrue();
            assertThat(run.filled()).as("inboxes filled from copies").isPositive();
        }
    }
}

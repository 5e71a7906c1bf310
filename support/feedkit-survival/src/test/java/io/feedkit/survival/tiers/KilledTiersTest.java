package io.feedkit.survival.tiers;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.survival.Kills.Outcome;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("survival")
@DisplayName("Posts in SQL, inboxes in Redis and old posts in an archive")
class KilledTiersTest {

    /** One point for each role; the command {@code kill-tiers} has all. */
    @ParameterizedTest
    @EnumSource(names = {"MOVER_AFTER_COPY", "VERIFY_AFTER_OPEN"})
    @Timeout(60)
    @DisplayName("survive a kill: no feed is wrong, no deleted post is left, and verify finds nothing afterwards")
    void killed(TierPoint point) throws Exception {
        String run = "test-" + point.name().toLowerCase(Locale.ROOT);
        Outcome outcome = new TierRun(PostgresServer.shared(), RedisServer.shared(), point, 1, run).run();
        assertThat(outcome.reached()).as("%s was reached", point).isTrue();
    }
}

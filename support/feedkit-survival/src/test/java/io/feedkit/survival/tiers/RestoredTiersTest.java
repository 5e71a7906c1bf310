package io.feedkit.survival.tiers;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.RedisServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("survival")
@DisplayName("Posts that were restored from a backup, below newer inboxes and a newer archive")
class RestoredTiersTest {

    @Test
    @Timeout(120)
    @DisplayName("are what all feeds show after the steps of the page on recovery")
    void restored() throws Exception {
        RestoreRun.Outcome outcome =
                new RestoreRun(PostgresServer.shared(), RedisServer.shared(), Recovery.DISTRUST, 1).run();
        assertThat(outcome.gone()).isPositive();
        assertThat(outcome.kept()).isPositive();
        assertThat(outcome.back()).isPositive();
        assertThat(outcome.wrongFeeds()).isPositive();
    }
}

package io.feedkit.survival.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.survival.live.LiveRun.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("survival")
@DisplayName("The clients of live feeds")
class LiveScenariosTest {

    /** With this seed a process is killed once. */
    private static final long SEED = 3;

    private static final Duration DOWN = Duration.ofSeconds(4);
    private static final int RECONNECTS = 500;

    /** The command {@code live} has more seeds, longer outages and more clients. */
    @ParameterizedTest
    @EnumSource
    @Timeout(120)
    @DisplayName("get every post once, and nothing that is deleted or not followed, while something fails")
    void survives(Scenario scenario) throws Exception {
        try (LiveRun run = new LiveRun(scenario, SEED, DOWN, RECONNECTS)) {
            Outcome outcome = run.run();
            assertThat(outcome.violations()).as("%s: %s", scenario, outcome).isEmpty();
            assertThat(outcome.posts()).isPositive();
        }
    }
}

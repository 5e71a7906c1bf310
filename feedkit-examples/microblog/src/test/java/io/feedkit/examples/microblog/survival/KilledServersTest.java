package io.feedkit.examples.microblog.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.examples.microblog.survival.KillRun.Outcome;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code -Dseeds=5} makes five runs, {@code -DfirstSeed=42} begins with another seed, and {@code -DoutageSeconds=20}
 * lengthens outages.
 */
@Tag("survival")
@DisplayName("Clients of the microblog")
class KilledServersTest {

    private static final long SEEDS = Long.getLong("seeds", 1);

    /** With this seed Redis loses everything, and one of the two servers is killed. */
    private static final long FIRST_SEED = Long.getLong("firstSeed", 2);

    private static final Duration LONGEST_OUTAGE = Duration.ofSeconds(Integer.getInteger("outageSeconds", 4));

    private static Ground ground;

    static LongStream seeds() {
        return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS);
    }

    @BeforeAll
    static void startServers() {
        long began = System.nanoTime();
        ground = new Ground();
        System.out.printf("servers started within %d ms%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }

    @AfterAll
    static void closeServers() {
        if (ground != null) {
            ground.close();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @Timeout(600)
    @DisplayName(
            "get errors in bounded time while servers, Redis or PostgreSQL are killed, then miss and repeat nothing")
    void goOn(long seed) throws Exception {
        Outcome outcome = new KillRun(ground, seed, LONGEST_OUTAGE).run();
        System.out.println(outcome.summary());
        assertThat(outcome.violations()).as(outcome.summary()).isEmpty();
        assertThat(outcome.posts()).isPositive();
        assertThat(outcome.interruptedWalks()).isPositive();
    }
}

package io.feedkit.tools.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Scenario;
import io.feedkit.testservers.survival.Scenario.Engines;
import io.feedkit.testservers.survival.Threads;
import io.feedkit.testservers.survival.Walks;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("survival")
@DisplayName("Inboxes in Redis whose truth is in an SQL database")
class LostInboxesTest {

    private static final int FLUSHES = Rounds.of(3);

    /** Each reader has four windows open. */
    private static final int WINDOWS = 4;

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @BeforeEach
    void createTables() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcSchema.of(pool).create();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(300)
    @DisplayName("are all lost while posts are published, and all readers return at once: few inboxes are built at a "
            + "time, each once more, and no feed lacks anything")
    void flushed(Engines engines) throws Exception {
        try (RedisServer server = RedisServer.start(Durability.FAST);
                Scenario scenario = Scenario.start(engines, () -> node(server.uri()))) {
            Random random = new Random(7);
            int readers = scenario.members().readers().size();
            assertThat(built(scenario)).isEqualTo(readers);
            int builtInCrowds = 0;
            for (int flush = 1; flush <= FLUSHES; flush++) {
                Rounds.moment(random, 500);
                int before = built(scenario);
                server.ask("FLUSHALL");
                returnAtOnce(scenario);
                builtInCrowds += built(scenario) - before;
                // Those who were served from the database meanwhile. One whose builder is too slow for its lease is
                // built by another, too.
                await().atMost(LIMIT).untilAsserted(() -> {
                    scenario.members()
                            .readers()
                            .forEach(reader ->
                                    Walks.plain(scenario.nodes().get(0).engine(), reader));
                    assertThat(built(scenario) - before).isBetween(readers, readers + readers / 2);
                });
            }
            assertThat(mostAtATime(scenario))
                    .allMatch(most -> most > 1 && most <= FeedEngineBuilder.DEFAULT_CONCURRENT_REBUILDS);
            scenario.finish(("truth in H2, inboxes flushed=%d times, reads at once after each=%d, inboxes built=%d (at "
                            + "first=%d, in the crowds=%d), at a time=%s")
                    .formatted(
                            FLUSHES,
                            WINDOWS * readers,
                            built(scenario),
                            readers,
                            builtInCrowds,
                            mostAtATime(scenario)));
        }
    }

    private Node.Setup node(String redis) {
        return Node.on(() -> InboxesApart.open(url, redis), InboxesApart::close);
    }

    private static List<Integer> mostAtATime(Scenario scenario) {
        return scenario.nodes().stream()
                .map(node -> ((InboxesApart) node.store()).mostBuildingAtATime())
                .toList();
    }

    private static void returnAtOnce(Scenario scenario) throws Exception {
        List<String> readers = scenario.members().readers();
        CyclicBarrier together = new CyclicBarrier(WINDOWS * readers.size());
        try (Threads crowd = new Threads()) {
            for (int window = 0; window < WINDOWS; window++) {
                Node node = scenario.nodes().get(window % scenario.nodes().size());
                for (String reader : readers) {
                    crowd.start(() -> {
                        meet(together);
                        Walks.plain(node.engine(), reader);
                    });
                }
            }
            crowd.finish();
        }
    }

    private static void meet(CyclicBarrier together) {
        try {
            together.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException("the readers did not all come", e);
        }
    }

    private static int built(Scenario scenario) {
        return scenario.nodes().stream().mapToInt(Node::rebuilds).sum();
    }
}

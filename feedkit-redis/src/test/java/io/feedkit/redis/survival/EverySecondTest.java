package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.FeedMonitor;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Publishers;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Scenario.Engines;
import io.feedkit.testservers.survival.Truth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("survival")
class EverySecondTest {

    private static final int READERS = 100;
    private static final int CUTS = Rounds.of(2);
    private static final int FLUSHES = 2;
    private static final Duration BETWEEN = Duration.ofSeconds(1);

    /** The test itself flushes the file, because a test cannot ask the server what it has flushed. */
    private final RedisServer server = RedisServer.start(Durability.DURABLE, "--appendfsync", "no");

    private final Admin admin = new Admin(server.port());
    private final List<Node> nodes = new ArrayList<>();
    private final Truth acknowledged = new Truth();
    private final CertainPosts certain = new CertainPosts(acknowledged);

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
        admin.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(300)
    @DisplayName("the machine fails and the file loses what was written since it was flushed: all that"
            + " was acknowledged before is there, and the feeds agree with what is left")
    void cut(Engines engines) throws Exception {
        nodes.add(Nodes.at(server.port()).named("one").open());
        if (engines == Engines.TWO) {
            nodes.add(Nodes.at(server.port())
                    .named("two")
                    .policy(FanoutPolicy.hybrid(READERS))
                    .open());
        }
        Members members = Members.join(READERS, nodes.get(0));
        try (Publishers publishers = Publishers.start(2, members, acknowledged, nodes, Publishers.PAUSE_MILLIS);
                FeedMonitor monitor = FeedMonitor.start(members, certain.truth(), nodes, acknowledged::wasAskedFor)) {
            long bytes = cutAgainAndAgain();
            publishers.finish();
            monitor.finish();
            certain.isKept();
            Truth stored = Stored.in(nodes.get(0), members);
            long lost = certain.lost(stored.published());
            // Writes that were under way when the server came back may have arrived since. A reader's next read after
            // that finds them.
            await().pollDelay(Node.LEASE).until(() -> true);
            FinalCheck.pass(nodes, members, stored);
            System.out.printf(
                    "files cut=%d by bytes=%d, engines=%s: posts acknowledged=%d deleted=%d lost=%d"
                            + " deliveries lost or not made before=%d calls repeated=%d walks=%d (refused=%d)%n",
                    CUTS,
                    bytes,
                    engines,
                    acknowledged.posts(),
                    acknowledged.deletes(),
                    lost,
                    nodes.stream().mapToInt(Node::healed).sum(),
                    publishers.refused(),
                    monitor.walks(),
                    monitor.refused());
            assertThat(lost).isPositive();
        }
    }

    private long cutAgainAndAgain() {
        Random random = new Random(9);
        AppendOnlyFile file = AppendOnlyFile.of(admin);
        long bytes = 0;
        for (int n = 0; n < CUTS; n++) {
            for (int flush = 0; flush < FLUSHES; flush++) {
                await().pollDelay(BETWEEN).until(() -> true);
                certain.isKept();
                file.flush();
            }
            Rounds.moment(random, 1000);
            server.kill();
            certain.serverWasKilled();
            bytes += n % 2 == 0 ? file.cut() : file.cutAnywhere(random);
            file.repair();
            List<Integer> suspectedLosses =
                    nodes.stream().map(Node::suspectedLosses).toList();
            server.restart();
            awaitSuspectedLosses(suspectedLosses);
        }
        return bytes;
    }

    private void awaitSuspectedLosses(List<Integer> before) {
        await().atMost(Duration.ofSeconds(10))
                .until(() -> IntStream.range(0, nodes.size())
                        .allMatch(i -> nodes.get(i).suspectedLosses() > before.get(i)));
    }
}

package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedKitException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.Post;
import io.feedkit.Published;
import io.feedkit.StoreUnavailableException;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.FaultyProxy.Direction;
import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Scenario;
import io.feedkit.testservers.survival.Scenario.Engines;
import io.feedkit.testservers.survival.Truth;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("survival")
class UnreachableServerTest {

    private static final int READERS = 20;
    private static final int ROUNDS = Rounds.of(3);
    private static final int REPLIES = Rounds.of(24);
    private static final int FAULTS = Rounds.of(8);
    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration LATENCY = Duration.ofMillis(200);

    private final RedisServer server = RedisServer.start(Durability.FAST);
    private final FaultyProxy proxy = FaultyProxy.before(server.port());
    private final Truth truth = new Truth();

    @AfterEach
    void close() {
        proxy.close();
        server.close();
    }

    @Test
    @Timeout(300)
    @DisplayName("a publish whose request or reply is lost or late fails in bounded time as what it is,"
            + " and doing it again settles it")
    void lostMessages() {
        Map<String, Integer> outcomes = new TreeMap<>();
        try (Node near = Nodes.at(server.port()).named("near").open();
                Node away =
                        Nodes.at(proxy.port(), TIMEOUT).named("away").workers(0).open()) {
            Members members = Members.join(READERS, near);
            for (int round = 0; round < ROUNDS; round++) {
                publish("requests held", away, () -> proxy.blackHole(Direction.REQUESTS), outcomes);
                publish("replies held", away, () -> proxy.blackHole(Direction.REPLIES), outcomes);
                publish("200 ms late", away, () -> proxy.delay(LATENCY), outcomes);
                publish("refused", away, () -> refuse(away), outcomes);
            }
            for (int bytes = 0; bytes < REPLIES; bytes++) {
                int passed = bytes;
                publish("reply cut", away, () -> proxy.cutAfterReplyBytes(passed), outcomes);
            }
            FinalCheck.pass(near, members, truth);
            FinalCheck.inboxesLackNothing(near, members);
        }
        System.out.printf("posts=%d %s%n", truth.posts(), outcomes);
        assertThat(outcomes.keySet())
                .anyMatch(each -> each.startsWith("reply cut: OutcomeUnknownException, then SAME"))
                .anyMatch(each -> each.startsWith("replies held: OutcomeUnknownException, then SAME"))
                .anyMatch(each -> each.startsWith("requests held: OutcomeUnknownException, then NEW"))
                .anyMatch(each -> each.startsWith("refused: StoreUnavailableException, then NEW"));
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(300)
    @DisplayName("messages are held, cut and delayed again and again during fan-out: nothing is lost,"
            + " repeated or resurrected")
    void duringFanout(Engines engines) throws Exception {
        List<Consumer<Random>> faults = List.of(
                random -> proxy.blackHole(Direction.REQUESTS),
                random -> proxy.blackHole(Direction.REPLIES),
                random -> proxy.cutAfterReplyBytes(random.nextInt(400)),
                random -> proxy.delay(LATENCY));
        try (Scenario scenario = Scenario.start(engines, () -> Nodes.at(proxy.port(), TIMEOUT.multipliedBy(2)))) {
            Random random = new Random(8);
            for (int n = 0; n < FAULTS; n++) {
                Rounds.moment(random, 300);
                faults.get(n % faults.size()).accept(random);
                Rounds.moment(random, 1000);
                proxy.resetAll();
                proxy.pass();
            }
            scenario.finish("messages held, cut or late=" + FAULTS + " times");
            assertThat(scenario.triedAgain()).isPositive();
        }
    }

    /** Waits until the client has noticed. */
    private void refuse(Node node) {
        proxy.refuse();
        proxy.resetAll();
        await().atMost(LONGEST).until(() -> !isReachable(node));
    }

    /** Publishes while something is broken, and once more when it is not. */
    private void publish(String fault, Node node, Runnable breaking, Map<String, Integer> outcomes) {
        Post post = new Post(Members.STAR, "post-" + truth.posts(), Instant.now());
        await().atMost(LONGEST).until(() -> isReachable(node));
        breaking.run();
        long begun = System.nanoTime();
        Optional<FeedKitException> failure = failure(() -> node.engine().publish(post));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(BOUND);
        proxy.resetAll();
        proxy.pass();
        failure.ifPresent(each ->
                assertThat(each).isInstanceOfAny(StoreUnavailableException.class, OutcomeUnknownException.class));
        AtomicReference<Published> again = new AtomicReference<>();
        await().atMost(LONGEST)
                .until(() ->
                        failure(() -> again.set(node.engine().publish(post))).isEmpty());
        Published settled = again.get();
        assertThat(settled.status()).isNotEqualTo(Published.Status.DELETED);
        if (failure.isEmpty()) {
            assertThat(settled.status()).isEqualTo(Published.Status.SAME);
        }
        truth.published(settled.post());
        String first = failure.map(each -> each.getClass().getSimpleName()).orElse("answered");
        outcomes.merge(fault + ": " + first + ", then " + settled.status(), 1, Integer::sum);
    }

    private static boolean isReachable(Node node) {
        return failure(() -> node.engine().fanout().backlog()).isEmpty();
    }

    private static Optional<FeedKitException> failure(Runnable call) {
        try {
            call.run();
            return Optional.empty();
        } catch (FeedKitException e) {
            return Optional.of(e);
        }
    }
}

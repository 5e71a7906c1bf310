package io.feedkit.jdbc.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedKitException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.Post;
import io.feedkit.Published;
import io.feedkit.StoreUnavailableException;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.FaultyProxy.Direction;
import io.feedkit.testservers.PostgresServer;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Rounds;
import io.feedkit.testservers.survival.Truth;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("survival")
class UnreachableDatabaseTest {

    private static final int READERS = 20;
    private static final int ROUNDS = Rounds.of(3);
    private static final int REPLIES = Rounds.of(24);
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final Truth truth = new Truth();
    private String url;

    @BeforeEach
    void createTables() {
        url = PostgresServer.shared().createDatabase();
        Nodes.createTables(url);
    }

    @Test
    @Timeout(300)
    @DisplayName(
            "a publish whose request or reply is lost fails with the right exception in bounded time; a retry succeeds")
    void lostMessages() {
        Map<String, Integer> outcomes = new TreeMap<>();
        try (FaultyProxy proxy = FaultyProxy.before(PostgresServer.shared().port());
                Node away = Nodes.at(proxy.url(url) + "&socketTimeout=1&connectTimeout=1&cancelSignalTimeout=1")
                        .named("away")
                        .workers(0)
                        .open();
                Node node = Nodes.at(url).named("near").open()) {
            Members members = Members.join(READERS, node);
            for (int round = 0; round < ROUNDS; round++) {
                publish("requests held", away, proxy, p -> p.blackHole(Direction.REQUESTS), outcomes);
                publish("replies held", away, proxy, p -> p.blackHole(Direction.REPLIES), outcomes);
                publish(
                        "refused",
                        away,
                        proxy,
                        p -> {
                            p.refuse();
                            p.resetAll();
                        },
                        outcomes);
            }
            for (int bytes = 0; bytes < REPLIES; bytes++) {
                int passed = bytes * 8;
                publish("reply cut", away, proxy, p -> p.cutAfterReplyBytes(passed), outcomes);
            }
            FinalCheck.pass(node, members, truth);
            FinalCheck.inboxesLackNothing(node, members);
        }
        System.out.printf("posts=%d %s%n", truth.posts(), outcomes);
        assertThat(outcomes.keySet())
                .anyMatch(each -> each.startsWith("reply cut: OutcomeUnknownException, then SAME"));
    }

    /** Publishes during a fault, and again after it. */
    private void publish(
            String fault, Node node, FaultyProxy proxy, Consumer<FaultyProxy> breaking, Map<String, Integer> outcomes) {
        Post post = new Post(Members.STAR, "post-" + truth.posts(), Instant.now());
        node.engine().fanout().backlog();
        breaking.accept(proxy);
        long begun = System.nanoTime();
        Optional<FeedKitException> failure = failure(() -> node.engine().publish(post));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(BOUND);
        proxy.resetAll();
        proxy.pass();
        failure.ifPresent(each ->
                assertThat(each).isInstanceOfAny(StoreUnavailableException.class, OutcomeUnknownException.class));
        AtomicReference<Published> again = new AtomicReference<>();
        await().atMost(BOUND)
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

    private static Optional<FeedKitException> failure(Runnable call) {
        try {
            call.run();
            return Optional.empty();
        } catch (FeedKitException e) {
            return Optional.of(e);
        }
    }
}

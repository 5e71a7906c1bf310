package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedKitException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.Published.Status;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Scenario;
import io.feedkit.testservers.survival.Scenario.Engines;
import io.feedkit.testservers.survival.Truth;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A master that has posts, tasks, follows and inboxes, and is killed in mid-fan-out when its"
        + " replica is not in step")
@Tag("survival")
class FeedStoreFailoverTest {

    private static final int PAUSE_MILLIS = 20;
    private static final int POSTS = 50;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Post inVain = Post.of(Members.STAR, "in-vain", System.currentTimeMillis());

    /** A cluster of Redis 6.2, and sentinels of the newest version. */
    static Stream<Arguments> kinds() {
        List<Replicated.Kind> all = Replicated.Kind.all();
        return Stream.of(Arguments.of(all.get(0), Engines.TWO), Arguments.of(all.get(all.size() - 1), Engines.ONE));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @Timeout(300)
    @DisplayName("takes nothing with it that was acknowledged with a replica, fan-out goes on at the"
            + " replica, and lost deliveries are made again")
    void killed(Replicated.Kind kind, Engines engines) throws Exception {
        PausedStarTasks held = new PausedStarTasks();
        try (Replicated servers = kind.start().get();
                Admin victim = new Admin(servers.victim().port());
                Admin heir = new Admin(servers.heir().port());
                Scenario scenario = Scenario.start(
                        engines, () -> Nodes.replicatedAt(servers.uri()).through(held::watch), PAUSE_MILLIS)) {
            try {
                awaitPosts(scenario, POSTS);
                held.begin();
                await().atMost(LIMIT).until(() -> heir.halfDoneTasks().stream().anyMatch(held.tasks()::contains));
                servers.cutOff();
                await().atMost(LIMIT).untilAsserted(() -> publishInVain(scenario));
                Set<PostKey> lost = missing(heir, victim, false);
                Set<PostKey> lostDeletes = missing(heir, victim, true);
                Truth truth = scenario.truth();
                assertThat(lost).contains(inVain.key()).doesNotContainAnyElementsOf(keys(truth.published()));
                assertThat(lostDeletes).doesNotContainAnyElementsOf(truth.gone());
                int certain = truth.posts() + truth.deletes();
                Set<String> halfDone = heir.halfDoneTasks();
                halfDone.retainAll(held.tasks());
                assertThat(halfDone).isNotEmpty();
                servers.victim().kill();
                long killed = System.nanoTime();
                held.end();

                servers.awaitPromoted();
                long promoted = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed);
                await().atMost(LIMIT).until(() -> heir.doneTasks().containsAll(halfDone));
                // Each connection finds the new master, which has no replica, for itself.
                await().atMost(LIMIT).untilAsserted(() -> publishInVain(scenario));
                assertThat(servers.victim().isRunning()).isFalse();
                servers.victim().restart();
                servers.awaitHealthy().run();
                publishAgain(scenario);
                awaitPosts(scenario, POSTS);
                await().atMost(LIMIT)
                        .until(() -> scenario.nodes().stream().allMatch(node -> node.suspectedLosses() > 0));
                scenario.finish(("%s: a master killed, half-done tasks=%d, posts and deletes acknowledged=%d"
                                + " (lost=0), unacknowledged and lost=%d, promoted after %d ms, deliveries"
                                + " made again=%d")
                        .formatted(
                                kind,
                                halfDone.size(),
                                certain,
                                lost.size() + lostDeletes.size(),
                                promoted,
                                healed(scenario)));
            } finally {
                held.end();
            }
        }
    }

    private static void awaitPosts(Scenario scenario, int more) {
        int before = scenario.truth().posts();
        await().atMost(LIMIT).until(() -> scenario.truth().posts() >= before + more);
    }

    private void publishInVain(Scenario scenario) {
        scenario.truth().asks(inVain.key());
        assertThatThrownBy(() -> scenario.nodes().get(0).engine().publish(inVain))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("it was written, but only 0 of 1 replicas had it in time");
    }

    private void publishAgain(Scenario scenario) {
        Published answer = await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(FeedKitException.class)
                .until(() -> scenario.nodes().get(0).engine().publish(inVain), published -> true);
        assertThat(answer.status()).isEqualTo(Status.SAME);
        scenario.truth().published(answer.post());
    }

    /** The posts or deletes that the master knows and the replica does not. */
    private static Set<PostKey> missing(Admin replica, Admin master, boolean deletes) {
        Set<PostKey> missing = master.posts(deletes);
        missing.removeAll(replica.posts(deletes));
        return missing;
    }

    private static Set<PostKey> keys(Set<Post> posts) {
        return posts.stream().map(Post::key).collect(Collectors.toSet());
    }

    private static int healed(Scenario scenario) {
        return scenario.nodes().stream().mapToInt(Node::healed).sum();
    }
}

package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.testservers.survival.FeedMonitor;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Publishers;
import io.feedkit.testservers.survival.Scenario.Engines;
import io.feedkit.testservers.survival.Truth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName(
        "A master that has posts, tasks and inboxes, whose writes no replica has to have, and whose last ones none has")
@Tag("survival")
class LostPostsTest {

    private static final int READERS = 100;
    private static final int POSTS = 50;
    private static final int LAST = 3;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Sentinels do not promote a replica that was cut off for more than ten seconds or so before its master died. */
    private static final Duration SOON = Duration.ofSeconds(8);

    private final List<Node> nodes = new ArrayList<>();
    private final Truth acknowledged = new Truth();
    private final CertainPosts certain = new CertainPosts(acknowledged);

    /** In a cluster, a part of the source of truth is lost while inboxes at other masters know of it. */
    static Stream<Arguments> kinds() {
        List<Replicated.Kind> all = Replicated.Kind.all();
        return Stream.of(Arguments.of(all.get(0), Engines.TWO), Arguments.of(all.get(all.size() - 1), Engines.ONE));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @Timeout(300)
    @DisplayName("takes those with it when it is killed, and no others; the feeds agree with what is left")
    void killed(Replicated.Kind kind, Engines engines) throws Exception {
        try (Replicated servers = kind.start().get()) {
            try {
                nodes.add(Nodes.at(servers.uri()).named("one").open());
                if (engines == Engines.TWO) {
                    nodes.add(Nodes.at(servers.uri())
                            .named("two")
                            .policy(FanoutPolicy.hybrid(READERS))
                            .open());
                }
                failOver(servers, kind + ", engines=" + engines);
            } finally {
                nodes.forEach(Node::close);
            }
        }
    }

    private void failOver(Replicated servers, String name) throws Exception {
        Members members = Members.join(READERS, nodes.get(0));
        try (Publishers publishers = Publishers.start(2, members, acknowledged, nodes, Publishers.PAUSE_MILLIS);
                FeedMonitor monitor = FeedMonitor.start(members, certain.truth(), nodes, acknowledged::wasAskedFor)) {
            awaitPosts();
            certain.isKept();
            servers.awaitInStep();
            servers.cutOff();
            awaitLast();
            servers.victim().kill();
            certain.serverWasKilled();
            servers.awaitPromoted();
            servers.victim().restart();
            servers.awaitHealthy().run();
            awaitPosts();
            await().atMost(LIMIT).until(() -> nodes.stream().allMatch(node -> node.suspectedLosses() > 0));
            publishers.finish();
            monitor.finish();
            certain.isKept();
            Truth stored = Stored.in(nodes.get(0), members);
            long lost = certain.lost(stored.published());
            // Writes that were under way to other masters may have arrived since.
            await().pollDelay(Node.LEASE).until(() -> true);
            FinalCheck.pass(nodes, members, stored);
            System.out.printf(
                    "%s: a master killed: posts acknowledged=%d deleted=%d, certain=%d + %d,"
                            + " lost=%d, deliveries lost or not made before=%d calls repeated=%d walks=%d"
                            + " (refused=%d)%n",
                    name,
                    acknowledged.posts(),
                    acknowledged.deletes(),
                    certain.truth().posts(),
                    certain.truth().deletes(),
                    lost,
                    nodes.stream().mapToInt(Node::healed).sum(),
                    publishers.refused(),
                    monitor.walks(),
                    monitor.refused());
            assertThat(lost).isPositive();
        }
    }

    private void awaitPosts() {
        int before = acknowledged.posts();
        await().atMost(LIMIT).until(() -> acknowledged.posts() >= before + POSTS);
    }

    /** Returns when the master has acknowledged some more posts by an author whom no other master has. */
    private void awaitLast() {
        long before = starsPosts();
        await().atMost(SOON).until(() -> starsPosts() >= before + LAST);
    }

    private long starsPosts() {
        return acknowledged.published().stream()
                .filter(post -> post.author().equals(Members.STAR))
                .count();
    }
}

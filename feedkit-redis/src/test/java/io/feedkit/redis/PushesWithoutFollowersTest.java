package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published.Status;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.internal.RegisterSnapshot;
import io.feedkit.testservers.RedisCluster;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisServer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Beside its follow graph, an outbox")
class PushesWithoutFollowersTest {

    private static final long LEASE = 60_000;

    private final TestStore redis = new TestStore(RedisServer.shared().uri());
    private final WritableFollowGraph graph = redis.store().graph();
    private final Outbox outbox = redis.store().outboxForFollowers();

    private static Post post(String author, int number) {
        return Post.of(author, "p" + number, number);
    }

    private static List<Status> append(Outbox outbox, FanoutMode mode, Post... posts) {
        return outbox
                .append(List.of(posts).stream()
                        .map(post -> new Publication(post, mode))
                        .toList())
                .stream()
                .map(Appended::status)
                .toList();
    }

    private List<String> tasks() {
        return outbox.fanout().claim(1000, LEASE).stream()
                .map(Claim::task)
                .map(task -> task.kind() + " " + task.post().author() + "/"
                        + task.post().id())
                .sorted()
                .toList();
    }

    private static List<Post> posts(String author) {
        return IntStream.range(0, 30).mapToObj(n -> post(author, n)).toList();
    }

    @Test
    @DisplayName(
            "has one task for all imported posts of an author, none if nobody follows the author, and two for pulls")
    void imports() {
        graph.add(List.of(new Edge("ann", "bob")));
        outbox.appendImported(posts("bob"), FanoutMode.PUSH);
        outbox.appendImported(posts("amy"), FanoutMode.PUSH);
        assertThat(outbox.fanout().queueStatus().unfinished()).isEqualTo(1);
        assertThat(outbox.fanout().invisibleSince()).isZero();
        outbox.appendImported(posts("cat"), FanoutMode.PULL);
        assertThat(outbox.newest(List.of("bob", "amy", "cat"), PositionRange.ALL, 99))
                .allSatisfy(posts -> assertThat(posts).hasSize(30));
        assertThat(tasks()).containsExactly("IMPORT bob/p29", "PULL cat/p29");
        outbox.pulled().put(List.of(post("amy", 50)));
        redis.store().outbox().appendImported(posts("dan"), FanoutMode.PUSH);
        outbox.appendImported(List.of(post("amy", 60)), FanoutMode.PUSH);
        assertThat(tasks()).containsExactly("IMPORT amy/p60", "IMPORT dan/p29");
    }

    @Test
    @DisplayName("has no task for a push by an author whom nobody follows, and all else")
    void nobody() {
        assertThat(append(outbox, FanoutMode.PUSH, post("bob", 1))).containsExactly(Status.NEW);
        assertThat(tasks()).isEmpty();
        assertThat(outbox.fanout().queueStatus().unfinished()).isZero();
        assertThat(outbox.newest(List.of("bob"), PositionRange.ALL, 5).get(0)).containsExactly(post("bob", 1));
        assertThat(outbox.lastAppended(List.of("bob")).get("bob"))
                .isEqualTo(redis.clock().millis());
        assertThat(append(outbox, FanoutMode.PUSH, post("bob", 1))).containsExactly(Status.SAME);
        assertThat(redis.store().outbox().existing(List.of(post("bob", 1).key())))
                .containsOnlyKeys(post("bob", 1).key());
    }

    @Test
    @DisplayName("retracts such a post like any other")
    void deleted() {
        append(outbox, FanoutMode.PUSH, post("bob", 1));
        assertThat(outbox.delete(List.of(new PostKey("bob", "p1")))).containsExactly(true);
        assertThat(tasks()).containsExactly(Kind.RETRACT + " bob/p1");
        assertThat(append(outbox, FanoutMode.PUSH, post("bob", 1))).containsExactly(Status.DELETED);
    }

    @Test
    @DisplayName("has a task from the first follower on, and none when the last has left")
    void follower() {
        graph.add(List.of(new Edge("ann", "bob")));
        append(outbox, FanoutMode.PUSH, post("bob", 1));
        graph.remove(List.of(new Edge("ann", "bob")));
        append(outbox, FanoutMode.PUSH, post("bob", 2));
        assertThat(tasks()).containsExactly(Kind.PUSH + " bob/p1");
    }

    @Test
    @DisplayName("tells authors of one batch apart")
    void batch() {
        graph.add(IntStream.range(0, 300)
                .filter(n -> n % 3 == 0)
                .mapToObj(n -> new Edge("ann", "author" + n))
                .toList());
        append(
                outbox,
                FanoutMode.PUSH,
                IntStream.range(0, 300).mapToObj(n -> post("author" + n, n)).toArray(Post[]::new));
        assertThat(tasks())
                .containsExactlyElementsOf(IntStream.range(0, 300)
                        .filter(n -> n % 3 == 0)
                        .mapToObj(n -> Kind.PUSH + " author" + n + "/p" + n)
                        .sorted()
                        .toList());
    }

    @Test
    @DisplayName("has a task for what is not pushed to followers alone, and for whoever asks for the outbox by itself")
    void others() {
        append(outbox, FanoutMode.PULL, post("bob", 1));
        append(outbox, FanoutMode.PUSH_ACTIVE, post("bob", 2));
        append(redis.store().outbox(), FanoutMode.PUSH, post("bob", 3));
        assertThat(tasks()).containsExactly(Kind.PULL + " bob/p1", Kind.PUSH + " bob/p3", Kind.PUSH_ACTIVE + " bob/p2");
    }

    @Test
    @DisplayName("has a task for a push by a pulled author, which takes the author out of the register")
    void pulled() {
        outbox.pulled().put(List.of(post("bob", 1)));
        append(outbox, FanoutMode.PUSH, post("bob", 2), post("cat", 3));
        assertThat(tasks()).containsExactly(Kind.PUSH + " bob/p2");
    }

    @Test
    @DisplayName("stores a post once that is twice in a batch, and the author's head knows of it")
    void twice() {
        outbox.pulled().put(List.of(post("bob", 1)));
        RegisterSnapshot.of(outbox.pulled());
        assertThat(outbox.newest(List.of("bob"), PositionRange.ALL, 5).get(0)).isEmpty();
        outbox.pulled()
                .remove(
                        "bob",
                        RegisterSnapshot.of(outbox.pulled()).pulled().get("bob").version());
        assertThat(append(outbox, FanoutMode.PUSH, post("bob", 2), post("bob", 2), post("cat", 3)))
                .containsExactly(Status.NEW, Status.SAME, Status.NEW);
        assertThat(outbox.newest(List.of("bob"), PositionRange.ALL, 5).get(0)).containsExactly(post("bob", 2));
        assertThat(tasks()).isEmpty();
    }

    @Tag("matrix")
    @Test
    @DisplayName("has a task for every post in a cluster, where followers may be on another server")
    void cluster() {
        TestStore cluster =
                new TestStore(RedisCluster.shared(RedisProgram.embedded()).uri());
        append(cluster.store().outboxForFollowers(), FanoutMode.PUSH, post("bob", 1));
        assertThat(cluster.store().outbox().fanout().queueStatus().unfinished()).isEqualTo(1);
    }
}

package io.feedkit.redis;

import static io.feedkit.redis.TestRedis.commands;
import static io.feedkit.redis.TestRedis.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.FollowCounts;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.connection.Servers;
import io.feedkit.redis.internal.graph.RedisFollowGraph;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.internal.Race;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("A follow graph in Redis")
@Tag("concurrency")
class GraphOnRedisTest {

    private static final Edge EDGE = new Edge("ann", "bob");

    private final TestRedis redis = new TestRedis();
    private final WritableFollowGraph graph = new RedisFollowGraph(redis.link(), redis.keys(), redis.timer());

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    @DisplayName("has the same on both sides after any number of threads wrote one edge, and leaves no mark")
    void oneEdge() {
        for (int round = 0; round < 20; round++) {
            int seed = round;
            Race.run(8, thread -> {
                Random random = new Random(seed * 8 + thread);
                for (int i = 0; i < 20; i++) {
                    if (random.nextBoolean()) {
                        graph.add(List.of(EDGE));
                    } else {
                        graph.remove(List.of(EDGE));
                    }
                }
                return true;
            });
            assertThat(followers("bob", 10).ids())
                    .isEqualTo(graph.followed("ann", List.of("bob")).isEmpty() ? List.of() : List.of("ann"));
            assertThat(commands().exists(key("edges", "ann"))).isZero();
        }
    }

    @Test
    @DisplayName("gives pages of any length")
    void longPages() {
        List<Edge> edges = IntStream.range(0, 12_000)
                .mapToObj(i -> new Edge(String.format("r%05d", i), "bob"))
                .toList();
        graph.add(edges);
        List<String> readers = edges.stream().map(Edge::reader).toList();
        assertThat(followers("bob", 4999)).isEqualTo(new IdPage(readers.subList(0, 4999), true));
        assertThat(followers("bob", 5000)).isEqualTo(new IdPage(readers.subList(0, 5000), true));
        assertThat(followers("bob", 10_001)).isEqualTo(new IdPage(readers.subList(0, 10_001), true));
        assertThat(followers("bob", 12_000)).isEqualTo(new IdPage(readers, false));
        assertThat(followers("bob", Integer.MAX_VALUE)).isEqualTo(new IdPage(readers, false));
        assertThat(graph.split("bob", 3))
                .containsExactly(
                        new KeyRange("", "r04000"),
                        new KeyRange("r04000", "r08000"),
                        new KeyRange("r08000", KeyRange.END));
        assertThat(graph.counts(List.of("bob"))).containsEntry("bob", new FollowCounts(12_000, 0));
    }

    @Test
    @DisplayName("has both sides of a follow that was cut short between them when the next refresh has"
            + " finished it: pushes and retractions reach the follower")
    void finished() {
        InMemoryFeedStore memory = InMemoryFeedStore.create();
        String user = redis.allowed("*:followees:*", "*:edges:*");
        RedisURI uri = RedisURI.builder(TestInboxes.uri())
                .withAuthentication(user, "secret")
                .build();
        try (RedisLink link = RedisLink.open(Servers.of(uri), Optional.empty(), Duration.ofSeconds(10));
                FeedEngine cut = engine(memory, new RedisFollowGraph(link, redis.keys(), redis.timer()));
                FeedEngine feed = engine(memory, graph)) {
            feed.follow("ann", "cat");
            feed.read("ann", PageRequest.first(1));
            feed.publish("bob", "old");
            assertThatThrownBy(() -> cut.follow("ann", "bob")).isInstanceOf(OutcomeUnknownException.class);
            assertThat(followers("bob", 10).ids()).isEmpty();
            feed.refresh("ann");
            assertThat(followers("bob", 10).ids()).containsExactly("ann");
            assertThat(commands().exists(key("edges", "ann"))).isZero();
            feed.publish("bob", "new");
            feed.fanout().drain();
            assertThat(ids(feed)).containsExactly("new", "old");
            feed.delete("bob", "old");
            feed.fanout().drain();
            assertThat(ids(feed)).containsExactly("new");
            assertThatThrownBy(() -> cut.unfollow("ann", "bob")).isInstanceOf(OutcomeUnknownException.class);
            assertThat(ids(feed)).isEmpty();
            feed.refresh("ann");
            assertThat(followers("bob", 10).ids()).isEmpty();
        }
    }

    private static FeedEngine engine(InMemoryFeedStore memory, WritableFollowGraph graph) {
        return FeedEngine.builder(FeedStore.of(memory.outbox(), memory::inbox, graph, memory.seenMarks()))
                .workers(0)
                .build();
    }

    private static List<String> ids(FeedEngine feed) {
        return feed.read("ann", PageRequest.first(10)).items().stream()
                .map(Post::id)
                .toList();
    }

    @Test
    @DisplayName(
            "says that the outcome is unknown when the author's side cannot be written, and is mended by the same call")
    void half() {
        String user = redis.allowed("*:followees:*", "*:edges:*");
        RedisURI uri = RedisURI.builder(TestInboxes.uri())
                .withAuthentication(user, "secret")
                .build();
        try (RedisLink link = RedisLink.open(Servers.of(uri), Optional.empty(), Duration.ofSeconds(10))) {
            WritableFollowGraph bound = new RedisFollowGraph(link, redis.keys(), redis.timer());
            assertThatThrownBy(() -> bound.add(List.of(EDGE)))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("graph.add");
            assertThat(bound.followed("ann", List.of("bob"))).containsExactly("bob");
            assertThatThrownBy(() -> bound.counts(List.of("bob"))).isInstanceOf(StoreUnavailableException.class);
        }
        assertThat(followers("bob", 10).ids()).isEmpty();
        assertThat(graph.add(List.of(EDGE))).containsExactly(false);
        assertThat(followers("bob", 10).ids()).containsExactly("ann");
        assertThat(commands().exists(key("edges", "ann"))).isZero();
    }

    @Test
    @DisplayName("refuses marks and fences that are foreign, names them, and leaves them alone")
    void foreign() {
        commands().hset(key("edges", "ann"), " last", "2 77");
        assertThatThrownBy(() -> graph.add(List.of(EDGE))).hasMessageContaining(key("edges", "ann"));
        assertThat(commands().hgetall(key("edges", "ann"))).containsOnlyKeys(" last");
        assertThat(graph.followed("ann", List.of("bob"))).isEmpty();
        String fence = text(redis.keys().ofPair("fence", "bob", "cid"));
        commands().set(fence, "mine");
        assertThatThrownBy(() -> graph.remove(List.of(new Edge("cid", "bob")))).hasMessageContaining(fence);
        assertThat(commands().get(fence)).isEqualTo("mine");
    }

    private IdPage followers(String author, int limit) {
        return graph.followers(List.of(new FollowerQuery(author, KeyRange.ALL, "", limit)))
                .get(0);
    }

    private String key(String kind, String user) {
        return text(redis.keys().ofUser(kind, user));
    }
}

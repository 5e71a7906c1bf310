package io.feedkit.tools.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Published;
import io.feedkit.StoreUnavailableException;
import io.feedkit.event.DeliveryLossSuspected;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import io.feedkit.event.TaskFailed;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.testkit.forwarding.ForwardingFollowGraph;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A node that starts while its inboxes in Redis cannot be reached, with the source of truth in SQL")
@Timeout(300)
class StartWithoutRedisTest {

    private static final int POSTS = 20;

    /** After so many failures of its own a task is a dead letter. */
    private static final int MAX_ATTEMPTS = FeedEngineBuilder.DEFAULT_MAX_ATTEMPTS;

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final PageRequest FIRST = PageRequest.first(2 * POSTS);

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final List<PostDelivered> delivered = new CopyOnWriteArrayList<>();
    private final List<DeliveryLossSuspected> suspectedLosses = new CopyOnWriteArrayList<>();
    private final List<TaskFailed> failed = new CopyOnWriteArrayList<>();

    private final FeedListener listener = new FeedListener() {
        @Override
        public void delivered(PostDelivered event) {
            delivered.add(event);
        }

        @Override
        public void deliveryLossSuspected(DeliveryLossSuspected event) {
            suspectedLosses.add(event);
        }

        @Override
        public void taskFailed(TaskFailed event) {
            failed.add(event);
        }
    };

    @BeforeEach
    void createTables() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcSchema.of(pool).create();
        }
    }

    private static FeedStore store(JdbcFeedStore sql, RedisInboxes inboxes) {
        return FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks());
    }

    @Test
    @DisplayName("publishes and deletes meanwhile, and delivers what waited when they can be reached")
    void publishes() {
        try (RedisServer redis = RedisServer.start(Durability.DURABLE);
                JdbcFeedStore sql = JdbcFeedStore.builder(url).build()) {
            Cursor seen = aFeedFrom(sql, redis);
            redis.kill();
            try (RedisInboxes inboxes = RedisInboxes.builder(RedisServers.at(redis.uri()))
                            .startWithoutServer(true)
                            .build();
                    FeedEngine feed = FeedEngine.builder(store(sql, inboxes))
                            .listener(listener)
                            .workers(2)
                            .build();
                    FeedEngine onHostGraph = FeedEngine.builder(FeedStore.of(
                                    sql.outbox(), inboxes::inbox, new HostsGraph(sql.graph()), sql.seenMarks()))
                            .workers(0)
                            .build()) {
                List<Post> expected = new ArrayList<>();
                for (int i = 0; i < POSTS; i++) {
                    Published published = feed.publish("bob", String.format("post-%02d", i));
                    assertThat(published.status()).isEqualTo(Published.Status.NEW);
                    expected.add(published.post());
                }
                assertThat(feed.delete("bob", "post-03")).isTrue();
                assertThat(feed.delete("bob", "before")).isTrue();
                expected.remove(3);
                worksWithout(feed, seen, expected);
                failsWithout(feed, onHostGraph);
                List<Post> newestFirst = new ArrayList<>(expected);
                Collections.reverse(newestFirst);
                assertThat(feed.read("ann", FIRST).items()).isEqualTo(newestFirst);

                redis.restart();
                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(delivered.stream()
                                        .filter(event -> event.readers().contains("ann"))
                                        .map(PostDelivered::post))
                                .containsAll(expected));
                await().atMost(SOON).until(() -> !suspectedLosses.isEmpty());
                Collections.reverse(expected);
                await().atMost(SOON)
                        .untilAsserted(() ->
                                assertThat(feed.read("ann", FIRST).items()).isEqualTo(expected));
                assertThat(feed.follow("ann", "cid")).isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("refused")
    @DisplayName(
            "keeps the tasks of pushes while the server is one that cannot be used, and does them when it is put right")
    void unusable(String uri, List<String> wrong, List<String> right, String why) {
        try (RedisServer redis = RedisServer.start(Durability.DURABLE);
                FaultyProxy proxy = FaultyProxy.before(redis.port());
                JdbcFeedStore sql = JdbcFeedStore.builder(url).build()) {
            aFeedFrom(sql, redis);
            redis.ask(wrong.toArray(String[]::new));
            proxy.refuse();
            try (RedisInboxes inboxes = RedisInboxes.builder(RedisServers.at(proxy.url(uri.formatted(redis.port()))))
                            .startWithoutServer(true)
                            .build();
                    FeedEngine feed = FeedEngine.builder(store(sql, inboxes))
                            .listener(listener)
                            .workers(0)
                            .fanout(fanout -> fanout.retryDelay(Duration.ofMillis(1)))
                            .build()) {
                proxy.pass();
                await().atMost(SOON)
                        .untilAsserted(() ->
                                assertThatThrownBy(() -> feed.refresh("ann")).hasMessageContaining(why));
                for (int i = 0; i < POSTS; i++) {
                    feed.publish("bob", String.format("post-%02d", i));
                }
                await().atMost(SOON).until(() -> {
                    feed.fanout().drain();
                    return failed.stream().anyMatch(event -> event.attempts() >= MAX_ATTEMPTS);
                });
                assertThat(failed)
                        .noneMatch(TaskFailed::dead)
                        .allMatch(event -> event.reason().contains(why));
                assertThat(feed.fanout().deadLetters(1)).isEmpty();
                assertThat(feed.fanout().backlog().tasks()).isEqualTo(POSTS);

                redis.ask(right.toArray(String[]::new));
                await().atMost(SOON).until(() -> {
                    feed.fanout().drain();
                    return feed.fanout().backlog().tasks() == 0;
                });
                assertThat(delivered.stream()
                                .filter(event -> event.readers().contains("ann"))
                                .map(PostDelivered::post)
                                .distinct())
                        .hasSize(POSTS);
                assertThat(feed.read("ann", FIRST).items()).hasSize(POSTS + 1);
            }
        }
    }

    static Stream<Arguments> refused() {
        List<String> may = List.of("ACL", "SETUSER", "feeds", "on", ">secret", "~*", "+@all");
        return Stream.of(
                Arguments.of("redis://feeds:secret@127.0.0.1:%d/0", List.of("PING"), may, "WRONGPASS"),
                Arguments.of(
                        "redis://127.0.0.1:%d/0",
                        List.of("HSET", "feedkit:{t0}:format", "inbox", "2"),
                        List.of("HSET", "feedkit:{t0}:format", "inbox", "1"),
                        "another prefix"));
    }

    /** Ann follows bob, and has a live inbox. */
    private static Cursor aFeedFrom(JdbcFeedStore sql, RedisServer redis) {
        try (RedisInboxes inboxes = RedisInboxes.create(RedisServers.at(redis.uri()));
                FeedEngine feed =
                        FeedEngine.builder(store(sql, inboxes)).workers(0).build()) {
            feed.follow("ann", "bob");
            Post before = feed.publish("bob", "before").post();
            feed.fanout().drain();
            FeedPage<Post> page = feed.read("ann", FIRST);
            assertThat(page.items()).containsExactly(before);
            return page.newer();
        }
    }

    private static void worksWithout(FeedEngine feed, Cursor seen, List<Post> published) {
        assertThat(feed.readAuthor("bob", FIRST).items()).containsExactlyInAnyOrderElementsOf(published);
        assertThat(feed.isFollowing("ann", "bob")).isTrue();
        assertThat(feed.followers("bob", 10).ids()).containsExactly("ann");
        assertThat(feed.followCounts("bob").followers()).isOne();
        feed.markSeen("ann", seen);
        assertThat(feed.fanout().backlog().tasks()).isPositive();
    }

    /** The graph as a host's own, which engines can only read. */
    private record HostsGraph(FollowGraph delegate) implements ForwardingFollowGraph {}

    private static void failsWithout(FeedEngine feed, FeedEngine onHostGraph) {
        List<ThrowingCallable> calls = List.of(
                () -> feed.follow("ann", "dan"),
                () -> feed.unfollow("ann", "bob"),
                () -> onHostGraph.hostGraph().followed("ann", "bob"),
                () -> feed.refresh("ann"),
                () -> feed.rebuild("ann"),
                () -> feed.forget("ann"));
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call)
                    .isInstanceOfSatisfying(
                            StoreUnavailableException.class,
                            e -> assertThat(e.isRetryable()).isTrue())
                    .hasMessageContaining("not connected to 127.0.0.1");
        }
        assertThat(feed.isFollowing("ann", "dan")).isFalse();
        assertThat(feed.isFollowing("ann", "bob")).isTrue();
    }
}

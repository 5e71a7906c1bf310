package io.feedkit.examples.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Published;
import io.feedkit.StoreUnavailableException;
import io.feedkit.event.DeliveriesDoubted;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.spi.FeedStore;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A node that starts while its inboxes in Redis cannot be reached, with the truth in an SQL database")
@Timeout(300)
class StartWithoutRedisTest {

    private static final int POSTS = 20;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final PageRequest FIRST = PageRequest.first(2 * POSTS);

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final List<PostDelivered> delivered = new CopyOnWriteArrayList<>();
    private final List<DeliveriesDoubted> doubted = new CopyOnWriteArrayList<>();

    private final FeedListener listener = new FeedListener() {
        @Override
        public void delivered(PostDelivered event) {
            delivered.add(event);
        }

        @Override
        public void doubted(DeliveriesDoubted event) {
            doubted.add(event);
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
            try (RedisInboxes inboxes = RedisInboxes.builder(redis.uri())
                            .startWithoutServer(true)
                            .build();
                    FeedEngine feed = FeedEngine.builder(store(sql, inboxes))
                            .listener(listener)
                            .workers(2)
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
                failsWithout(feed);

                redis.restart();
                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(delivered.stream()
                                        .filter(event -> event.readers().contains("ann"))
                                        .map(PostDelivered::post))
                                .containsAll(expected));
                await().atMost(SOON).until(() -> !doubted.isEmpty());
                Collections.reverse(expected);
                await().atMost(SOON)
                        .untilAsserted(() ->
                                assertThat(feed.read("ann", FIRST).posts()).isEqualTo(expected));
                assertThat(feed.follow("ann", "cid")).isTrue();
            }
        }
    }

    /** Ann follows bob, and has a live inbox. */
    private static Cursor aFeedFrom(JdbcFeedStore sql, RedisServer redis) {
        try (RedisInboxes inboxes = RedisInboxes.create(redis.uri());
                FeedEngine feed =
                        FeedEngine.builder(store(sql, inboxes)).workers(0).build()) {
            feed.follow("ann", "bob");
            Post before = feed.publish("bob", "before").post();
            feed.fanout().drain();
            FeedPage page = feed.read("ann", FIRST);
            assertThat(page.posts()).containsExactly(before);
            return page.newer();
        }
    }

    private static void worksWithout(FeedEngine feed, Cursor seen, List<Post> published) {
        assertThat(feed.readAuthor("bob", FIRST).posts()).containsExactlyInAnyOrderElementsOf(published);
        assertThat(feed.isFollowing("ann", "bob")).isTrue();
        assertThat(feed.followers("bob", "", 10).ids()).containsExactly("ann");
        assertThat(feed.followCounts("bob").followers()).isOne();
        feed.markSeen("ann", seen);
        assertThat(feed.fanout().backlog().tasks()).isPositive();
    }

    private static void failsWithout(FeedEngine feed) {
        List<ThrowingCallable> calls = List.of(
                () -> feed.read("ann", FIRST),
                () -> feed.unread("ann"),
                () -> feed.follow("ann", "dan"),
                () -> feed.unfollow("ann", "bob"),
                () -> feed.followed("ann", "bob"),
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

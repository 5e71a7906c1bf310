package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.counter.Counters;
import io.feedkit.counter.FeedCounters;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Views;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.NotAMemberException;
import io.feedkit.unread.UnreadCounter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Counters in Redis, by the server's own clock")
class RedisCounterExpiryTest {

    private static final Duration IDLE = Duration.ofSeconds(2);

    private final String prefix = TestInboxes.newPrefix();
    private final RedisCounterStore store = RedisCounterStore.builder(RedisServers.at(TestInboxes.uri()))
            .prefix(prefix)
            .resources(TestInboxes.resources())
            .operationsKept(IDLE)
            .idleKept(IDLE)
            .build();

    private final UnreadCounter unread = UnreadCounter.of(store);
    private final Counters counters = Counters.of(store);
    private final Reactions likes = Reactions.of(store);
    private final Conversations conversations = Conversations.of(store);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    @DisplayName("forget users who are idle, and operations, and nothing that belongs to no user")
    void idle() {
        unread.add(List.of("ann"), "like", 3);
        counters.add("shares", "p", 3, "operation");
        counters.add("shares", "p", 3, "operation");
        conversations.join("talk", "ann");
        conversations.add("talk", "ann");
        assertThat(unread.get("ann").total()).isEqualTo(3);
        assertThat(counters.get("shares", "p")).isEqualTo(3);
        await().atMost(IDLE.multipliedBy(10)).until(() -> unread.get("ann").total() == 0);
        assertThat(conversations.add("talk", "ann")).isEqualTo(2);
        conversations.forget("ann");
        assertThatThrownBy(() -> conversations.add("talk", "ann")).isInstanceOf(NotAMemberException.class);
        await().atMost(IDLE.multipliedBy(10)).until(() -> {
            counters.add("shares", "p", 4, "operation");
            return counters.get("shares", "p") == 7;
        });
    }

    @Test
    @DisplayName("keep reactions of idle users as long as they count")
    void reactions() {
        likes.add("ann", "p");
        likes.add("ben", "p");
        unread.add(List.of("ann"), "like", 3);
        await().atMost(IDLE.multipliedBy(10)).until(() -> unread.get("ann").total() == 0);
        likes.add("ann", "p");
        assertThat(likes.get(List.of("p"))).containsExactly(2L);
        likes.remove("ann", "p");
        assertThat(likes.get(List.of("p"))).containsExactly(1L);
        FeedCounters.of(store).forget("ben");
        assertThat(likes.get(List.of("p"))).containsExactly(0L);
    }

    @Test
    @DisplayName("keep users who are not idle, also those who only enter")
    void active() throws InterruptedException {
        Announcements announcements = Announcements.of(store);
        announcements.enter("ann");
        announcements.add("news", Announcements.EVERYBODY);
        unread.add(List.of("ann"), "like", 1);
        for (int i = 0; i < 8; i++) {
            Thread.sleep(IDLE.toMillis() / 4); // the server's clock has to pass, not the test's
            unread.add(List.of("ann"), "like", 1);
            announcements.enter("ann");
        }
        assertThat(unread.get("ann").total()).isEqualTo(9);
        assertThat(announcements.get("ann", List.of())).isEqualTo(1);
    }

    @Test
    @DisplayName("take nothing back of what was added for a user before the idle time")
    void removed() {
        try (RedisCounterStore longer = RedisCounterStore.builder(RedisServers.at(TestInboxes.uri()))
                .prefix(TestInboxes.newPrefix())
                .resources(TestInboxes.resources())
                .idleKept(IDLE.dividedBy(2))
                .build()) {
            UnreadCounter counter = UnreadCounter.of(longer);
            counter.add(List.of("ann"), "like", 1, "first");
            await().until(() -> counter.get("ann").total() == 0);
            counter.add(List.of("ann"), "like", 1);
            counter.add(List.of("ann"), "like", 1, "second");
            counter.remove("ann", "like", "first");
            assertThat(counter.get("ann").total()).isEqualTo(2);
            counter.remove("ann", "like", "second");
            assertThat(counter.get("ann").total()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("keep no key for ever that belongs to an idle user")
    void keys() {
        unread.add(List.of("ann"), "like", 1, "first");
        unread.remove("ann", "like", "first");
        unread.add(List.of("ann"), "like", 1);
        try (RedisClient client = RedisClient.create(TestInboxes.uri());
                StatefulRedisConnection<String, String> connection = client.connect()) {
            assertThat(connection.sync().keys(prefix + "*types*")).hasSizeGreaterThan(1);
            assertThat(connection.sync().keys(prefix + "*types*"))
                    .allMatch(key -> connection.sync().pttl(key) > 0);
        }
    }

    @Test
    @DisplayName("refuse a window of views that is longer than views are kept")
    void window() {
        assertThat(Views.of(store, IDLE, Clock.systemUTC()).add("ann", "p")).isTrue();
        assertThatThrownBy(() -> Views.of(store, IDLE.plusMillis(1), Clock.systemUTC()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("window must be at most PT2S,");
    }

    @Test
    @DisplayName("refuse times that are none")
    void times() {
        for (Duration time : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofMillis(999))) {
            assertThatThrownBy(() -> RedisCounterStore.builder(RedisServers.at(TestInboxes.uri()))
                            .idleKept(time))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("idleKept");
            assertThatThrownBy(() -> RedisCounterStore.builder(RedisServers.at(TestInboxes.uri()))
                            .operationsKept(time))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("operationsKept");
        }
    }
}

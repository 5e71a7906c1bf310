package io.feedkit.tools.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.counter.Counters;
import io.feedkit.counter.ExclusiveReactions;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Views;
import io.feedkit.redis.RedisServers;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.RedisServer;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.RedDots;
import io.feedkit.unread.UnreadCounter;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Counters in SQL behind a Redis that is dead")
@Timeout(120)
class DeadRedisTest {

    private static final List<String> USERS = List.of("ann", "ben", "cid");
    private static final List<String> POSTS = List.of("p", "q");

    private final CountersBehind behind = new CountersBehind();
    private final RedisServer redis = RedisServer.start(Durability.FAST);
    private final WriteBehindCounterStore store = WriteBehindCounterStore.builder(
                    RedisServers.at(redis.uri()), behind.sql())
            .flushInterval(CountersBehind.NEVER)
            .timeout(Duration.ofSeconds(10))
            .build();
    private final Counters counters = Counters.of(store);
    private final Reactions likes = Reactions.of(store);

    @AfterEach
    void close() {
        store.close();
        redis.close();
        behind.close();
    }

    /** Starts the server from what it saved, and waits until reads see it. */
    private void restart() {
        redis.restart();
        await().until(() -> counters.get("plays", "other") == 0 && store.isRedisReachable());
    }

    @Test
    @DisplayName("are read without changes that are not in SQL yet, and with them when Redis is back")
    void read() {
        counters.add("plays", "song", 10);
        UnreadCounter unread = UnreadCounter.of(store);
        unread.add(List.of("ann"), "like", 3);
        store.flush();
        counters.add("plays", "song", 5);
        unread.markAllSeen("ann", "like");
        assertThat(store.isRedisReachable()).isTrue();
        redis.ask("SAVE");
        redis.kill();
        assertThat(counters.get("plays", "song")).isEqualTo(10);
        assertThat(unread.get("ann").total()).isEqualTo(3);
        assertThat(store.isRedisReachable()).isFalse();
        assertThatThrownBy(() -> counters.add("plays", "song", 1)).isInstanceOf(FeedKitException.class);
        assertThatThrownBy(() -> unread.markAllSeen("ann", "like")).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> unread.forget(List.of("ann"))).isInstanceOf(FeedKitException.class);
        assertThatThrownBy(() ->
                        Views.of(store, Duration.ofHours(1), Clock.systemUTC()).add("ann", "p"))
                .isInstanceOf(FeedKitException.class);
        restart();
        assertThat(counters.get("plays", "song")).isEqualTo(15);
        assertThat(unread.get("ann").total()).isZero();
        store.flush();
        assertThat(Counters.of(behind.sql()).get("plays", "song")).isEqualTo(15);
    }

    @Test
    @DisplayName("are read without waiting each time for a Redis that hangs")
    void hangs() {
        try (WriteBehindCounterStore impatient = WriteBehindCounterStore.builder(
                        RedisServers.at(redis.uri()), behind.sql())
                .flushInterval(CountersBehind.NEVER)
                .timeout(Duration.ofSeconds(1))
                .build()) {
            Counters.of(impatient).add("plays", "song", 10);
            impatient.flush();
            redis.freeze();
            try {
                long begun = System.nanoTime();
                int reads = 100;
                for (int i = 0; i < reads; i++) {
                    assertThat(Counters.of(impatient).get("plays", "song")).isEqualTo(10);
                }
                assertThat(Duration.ofNanos(System.nanoTime() - begun))
                        .as("%d reads, each of which could take a second", reads)
                        .isLessThan(Duration.ofSeconds(reads / 2));
                assertThat(impatient.isRedisReachable()).isFalse();
            } finally {
                redis.thaw();
            }
            await().until(() -> Counters.of(impatient).get("plays", "song") == 10 && impatient.isRedisReachable());
        }
    }

    @Test
    @DisplayName("take reactions, messages and operations, also in transactions")
    void go() {
        Conversations conversations = Conversations.of(store);
        conversations.join("talk", "ann");
        conversations.join("talk", "ben");
        Announcements.of(store).enter("ann");
        likes.add("ann", "p");
        store.flush();
        redis.kill();
        assertThat(likes.add("ben", "p")).isTrue();
        assertThat(likes.remove("ann", "p")).isTrue();
        assertThat(likes.get(POSTS)).containsExactly(1L, 0L);
        assertThat(likes.reacted("ben", POSTS)).containsExactly("p");
        assertThat(likes.newest("p", 5).users()).containsExactly("ben");
        assertThat(likes.posts("ben", 5).posts()).containsExactly("p");
        ExclusiveReactions votes = ExclusiveReactions.of(store, "vote");
        votes.choose("ann", "p", "up");
        assertThat(votes.choose("ann", "p", "down")).isTrue();
        assertThat(conversations.add("talk", "ann")).isOne();
        assertThat(conversations.get("ben", List.of("talk"))).containsExactly(1L);
        Announcements.of(store).add("news", Announcements.EVERYBODY);
        assertThat(Announcements.of(store).get("ann", Set.of())).isOne();
        RedDots.of(store).add("dot");
        assertThat(RedDots.of(store).get("ann", List.of("dot"))).containsExactly("dot");
        counters.add("plays", "song", 2, "operation");
        assertThat(counters.get("plays", "song")).isEqualTo(2);
        behind.inTransaction(store, true, joined -> {
            Reactions.of(joined).add("cid", "p");
            assertThat(Reactions.of(joined).get(POSTS)).containsExactly(2L, 0L);
        });
        assertThat(likes.get(POSTS)).containsExactly(2L, 0L);
        store.close();
        assertThatThrownBy(() -> counters.get("plays", "song"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasStackTraceContaining("closed");
    }

    @Test
    @DisplayName("are those of a model, whenever Redis dies and comes back")
    void history() {
        Random random = new Random(17);
        Set<String> liked = new HashSet<>();
        long played = 0;
        boolean alive = true;
        for (int step = 0; step < 120; step++) {
            String user = USERS.get(random.nextInt(USERS.size()));
            String post = POSTS.get(random.nextInt(POSTS.size()));
            switch (step % 30 == 29 ? 4 : random.nextInt(4)) {
                case 0 -> assertThat(likes.add(user, post)).isEqualTo(liked.add(user + post));
                case 1 -> assertThat(likes.remove(user, post)).isEqualTo(liked.remove(user + post));
                case 2 -> {
                    if (alive) {
                        counters.add("plays", "song", 1);
                        played++;
                    }
                }
                case 3 -> {
                    counters.add("plays", "song", 1, "operation-" + step);
                    played++;
                }
                default -> {
                    if (alive) {
                        store.flush();
                        redis.kill();
                    } else {
                        restart();
                    }
                    alive = !alive;
                }
            }
            for (int i = 0; i < POSTS.size(); i++) {
                String of = POSTS.get(i);
                assertThat(likes.get(POSTS).get(i))
                        .as("likes of %s after step %d", of, step)
                        .isEqualTo(
                                liked.stream().filter(each -> each.endsWith(of)).count());
            }
            assertThat(counters.get("plays", "song")).as("after step %d", step).isEqualTo(played);
        }
    }
}

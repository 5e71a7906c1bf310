package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.counter.ExclusiveReactions;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Reactions.Repair;
import io.feedkit.counter.Views;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Redemption;
import io.feedkit.spi.counter.CounterWrites.Turn;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnTopologies
@DisplayName("Counts of reactions in Redis")
class ReconcileOnRedisTest {

    private final RedisCounterStore store;
    private final Reactions likes;

    ReconcileOnRedisTest(Topology topology) {
        store = RedisCounterStore.builder(RedisServers.at(topology.uri().get()))
                .prefix(TestInboxes.newPrefix())
                .resources(TestInboxes.resources())
                .timeout(Duration.ofSeconds(20))
                .build();
        likes = Reactions.of(store);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static CellKey count(String post, String name) {
        return new CellKey(new Owner(Space.POSTS, post), name);
    }

    private void add(CellKey count, long amount) {
        store.add(List.of(new Add(count, amount, Optional.empty())));
    }

    @Test
    @DisplayName("are recounted by who reacted, and the wrong counts are returned")
    void repaired() {
        Reactions claps = Reactions.of(store, "clap_2");
        ExclusiveReactions votes = ExclusiveReactions.of(store, "vote");
        List.of("ann", "ben", "cid").forEach(user -> {
            likes.add(user, "p");
            claps.add(user, "p/q");
        });
        votes.choose("ann", "p", "up");
        votes.choose("ben", "p", "down");
        likes.remove("cid", "p");
        likes.add("ann", "forgotten");
        likes.forgetPost("forgotten");
        likes.add("ben", "forgotten");
        likes.add("ann", "lost");
        Views.of(store, Duration.ofHours(1), Clock.systemUTC()).add("ann", "p");
        assertThat(store.reconcile(10)).isEmpty();
        add(count("p", "+like/0"), 5);
        add(count("p", "+vote/0/up"), 1);
        add(count("p/q", "+clap_2/0"), -3);
        add(count("forgotten", "+like/1"), -1);
        add(count("nobody", "+like/0"), 7);
        store.removeCells(List.of(count("lost", "+like/0")));
        assertThat(store.wrongCounts(10))
                .as("found, and not repaired")
                .hasSize(6)
                .contains(new Repair("like", "", "nobody", 7, 0));
        assertThat(store.reconcile(3))
                .containsExactly(
                        new Repair("like", "", "forgotten", 0, 1),
                        new Repair("like", "", "lost", 0, 1),
                        new Repair("like", "", "nobody", 7, 0));
        assertThat(store.reconcile(10))
                .containsExactly(
                        new Repair("like", "", "p", 7, 2),
                        new Repair("vote", "up", "p", 2, 1),
                        new Repair("clap_2", "", "p/q", 0, 3));
        assertThat(store.reconcile(10)).isEmpty();
        assertThat(likes.get(List.of("p", "forgotten", "nobody", "lost"))).containsExactly(2L, 1L, 0L, 1L);
        assertThat(store.wrongCounts(10)).isEmpty();
        assertThatThrownBy(() -> store.wrongCounts(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.reconcile(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("of calls that failed half-way are not repaired, and are right when the calls are finished")
    void halfDone() {
        likes.add("ben", "p");
        Owner post = new Owner(Space.POSTS, "p");
        Owner ann = new Owner(Space.REACTIONS, "ann");
        long ticket = store.openTickets(List.of(post)).get(0);
        store.turn(List.of(new Turn(ann, "like/p", Optional.empty(), "0+", ticket)));
        assertThat(store.reconcile(10)).isEmpty();
        store.redeem(List.of(new Redemption(count("p", "+like/0"), ticket, 1)));
        assertThat(store.reconcile(10)).isEmpty();
        likes.add("ann", "p");
        ticket = store.openTickets(List.of(post)).get(0);
        store.turn(List.of(new Turn(ann, "like/p", Optional.of("0+"), "0-", ticket)));
        assertThat(store.reconcile(10)).isEmpty();
        store.redeem(List.of(new Redemption(count("p", "+like/0"), ticket, -1)));
        assertThat(store.reconcile(10)).isEmpty();
        likes.remove("ann", "p");
        assertThat(likes.get(List.of("p"))).containsExactly(1L);
    }

    @Test
    @DisplayName("are not made wrong while reactions arrive")
    void meanwhile() throws Exception {
        List<String> users = IntStream.range(0, 50).mapToObj(i -> "u" + i).toList();
        List<String> posts = List.of("p", "q", "r");
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService pool = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                int seed = i;
                running.add(pool.submit(() -> react(new Random(seed), users, posts, done)));
            }
            Set<String> repaired = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                store.reconcile(10).forEach(repair -> repaired.add(repair.toString()));
            }
            done.set(true);
            for (Future<?> each : running) {
                each.get();
            }
            assertThat(repaired).isEmpty();
            for (String post : posts) {
                long liking = users.stream()
                        .filter(user -> !likes.reacted(user, List.of(post)).isEmpty())
                        .count();
                assertThat(likes.get(List.of(post))).containsExactly(liking);
            }
        } finally {
            done.set(true);
            pool.shutdownNow();
        }
    }

    @Test
    @DisplayName("are repaired also while reactions to the post arrive")
    void busy() throws Exception {
        List<String> users = IntStream.range(0, 50).mapToObj(i -> "u" + i).toList();
        List<String> posts = List.of("p");
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                int seed = i;
                running.add(pool.submit(() -> react(new Random(seed), users, posts, done)));
            }
            add(count("p", "+like/0"), 1000);
            assertThat(store.reconcile(10))
                    .singleElement()
                    .satisfies(repair -> assertThat(repair.was() - repair.is()).isEqualTo(1000));
            done.set(true);
            for (Future<?> each : running) {
                each.get();
            }
            long liking = users.stream()
                    .filter(user -> !likes.reacted(user, posts).isEmpty())
                    .count();
            assertThat(likes.get(posts)).containsExactly(liking);
        } finally {
            done.set(true);
            pool.shutdownNow();
        }
    }

    private void react(Random random, List<String> users, List<String> posts, AtomicBoolean done) {
        while (!done.get()) {
            String user = users.get(random.nextInt(users.size()));
            String post = posts.get(random.nextInt(posts.size()));
            if (random.nextBoolean()) {
                likes.add(user, post);
            } else {
                likes.remove(user, post);
            }
        }
    }
}

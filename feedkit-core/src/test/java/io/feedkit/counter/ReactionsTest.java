package io.feedkit.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.counter.Reactions.Reaction;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.NewestOf;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.NotAMemberException;
import io.feedkit.unread.RedDots;
import io.feedkit.unread.UnreadCounter;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Reactions")
class ReactionsTest {

    private static final int THREADS = 8;
    private static final int ROUNDS = 500;
    private static final List<String> USERS = List.of("ann", "ben", "cid");

    private final Reactions likes = Reactions.of(InMemoryCounterStore.create());

    private long liking() {
        return USERS.stream()
                .filter(user -> likes.reacted(user, List.of("p")).contains("p"))
                .count();
    }

    @Test
    @DisplayName("of all kinds are taken back when their user is forgotten, and everything else of the user goes")
    void forgottenUser() {
        CounterStore store = InMemoryCounterStore.create();
        Reactions likes = Reactions.of(store);
        Reactions claps = Reactions.of(store, "clap");
        Views views = Views.of(store, Duration.ofHours(1), Clock.systemUTC());
        List.of("ann", "ben").forEach(user -> {
            likes.add(user, "p");
            claps.add(user, "p");
            claps.add(user, "q");
            views.add(user, "p");
            UnreadCounter.of(store).add(List.of(user), "like", 3);
            Conversations.of(store).join("talk", user);
            RedDots.of(store).add("dot", List.of(user));
        });
        for (int times = 0; times < 2; times++) {
            FeedCounters.of(store).forget("ann");
            assertThat(likes.get(List.of("p"))).containsExactly(1L);
            assertThat(claps.get(List.of("p", "q"))).containsExactly(1L, 1L);
            assertThat(claps.reacted("ann", List.of("p", "q"))).isEmpty();
            assertThat(claps.reacted("ben", List.of("p", "q"))).containsExactlyInAnyOrder("p", "q");
            assertThat(views.get(List.of("p"))).containsExactly(2L);
            assertThat(UnreadCounter.of(store).get("ann").total()).isZero();
            assertThat(UnreadCounter.of(store).get("ben").total()).isEqualTo(3);
            assertThat(RedDots.of(store).get("ann", List.of("dot"))).isEmpty();
            assertThatThrownBy(() -> Conversations.of(store).add("talk", "ann"))
                    .isInstanceOf(NotAMemberException.class);
        }
        assertThat(views.add("ann", "p")).isTrue();
    }

    @Test
    @DisplayName("leave nothing in the lists of a post that was forgotten meanwhile, also not when they are taken back")
    void droppedMeanwhile() {
        CounterStore store = InMemoryCounterStore.create();
        Owner post = new Owner(Space.POSTS, "p");
        AtomicReference<Runnable> meanwhile =
                new AtomicReference<>(() -> Reactions.of(store).forgetPost("p"));
        Reactions late = Reactions.of(InterceptedCounterStore.after(
                store, "turn", () -> meanwhile.getAndSet(() -> {}).run()));
        late.add("ann", "p");
        assertThat(store.cells(List.of(post)).get(0)).containsOnlyKeys("+like/");
        Reactions.of(store).add("ben", "p");
        meanwhile.set(() -> Reactions.of(store).forgetPost("p"));
        late.remove("ben", "p");
        assertThat(store.cells(List.of(post)).get(0)).containsOnlyKeys("+like/");
        NewestOf old = new NewestOf(new CellKey(post, "+like/0"), 10);
        assertThat(store.read(Wanted.NOTHING.withNewest(List.of(old)))
                        .newest()
                        .get(0)
                        .names())
                .isEmpty();
        assertThat(Reactions.of(store).add("ann", "p")).isTrue();
        assertThat(Reactions.of(store).get(List.of("p"))).containsExactly(1L);
    }

    @Test
    @DisplayName("are counted as many as there are, whatever threads did to them at once")
    void counted() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                List<Callable<Boolean>> calls = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    long seed = (long) round * THREADS + i;
                    calls.add(() -> react(new Random(seed)));
                }
                for (Future<Boolean> call : pool.invokeAll(calls)) {
                    assertThat(call.get()).isTrue();
                }
                assertThat(likes.get(List.of("p")))
                        .as("likes after round %d", round)
                        .containsExactly(liking());
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private boolean react(Random random) {
        String user = USERS.get(random.nextInt(USERS.size()));
        switch (random.nextInt(8)) {
            case 0 -> likes.forgetPost("p");
            case 1, 2, 3 -> likes.remove(user, "p");
            default -> likes.add(user, "p");
        }
        return true;
    }

    @Test
    @DisplayName("to a post that was forgotten are gone, and count anew")
    void forgottenPost() {
        likes.add("ann", "p");
        likes.add("ben", "p");
        likes.forgetPost("p");
        assertThat(likes.get(List.of("p"))).containsExactly(0L);
        assertThat(liking()).isZero();
        likes.remove("ben", "p");
        likes.add("ann", "p");
        likes.add("ann", "p");
        assertThat(likes.get(List.of("p"))).containsExactly(1L);
        assertThat(liking()).isOne();
    }

    @Test
    @DisplayName("of a user who is forgotten are counted no more")
    void forgotten() {
        likes.add("ann", "p");
        likes.add("ann", "q");
        likes.add("ben", "p");
        likes.forget("ann");
        assertThat(likes.get(List.of("p", "q"))).containsExactly(1L, 0L);
    }

    @Test
    @DisplayName("of one kind are apart from those of another, also when a user is forgotten")
    void kinds() {
        CounterStore store = InMemoryCounterStore.create();
        Reactions hearts = Reactions.of(store, "heart");
        Reactions stars = Reactions.of(store, "star");
        hearts.add(List.of(
                new Reaction("ann", "p"),
                new Reaction("ben", "p"),
                new Reaction("ann", "p"),
                new Reaction("ann", "q")));
        stars.add("ann", "p");
        assertThat(hearts.get(List.of("p", "q", "r"))).containsExactly(2L, 1L, 0L);
        assertThat(hearts.reacted("ann", List.of("p", "q", "r"))).containsExactlyInAnyOrder("p", "q");
        hearts.forget("ann");
        assertThat(hearts.get(List.of("p", "q"))).containsExactly(1L, 0L);
        assertThat(stars.get(List.of("p"))).containsExactly(1L);
        assertThat(stars.reacted("ann", List.of("p"))).containsExactly("p");
        assertThatThrownBy(() -> Reactions.of(store, "he/art"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kind");
    }

    @Test
    @DisplayName("that others change all the time end in an error that names the reaction")
    void changing() {
        CounterStore memory = InMemoryCounterStore.create();
        Reactions others = Reactions.of(memory);
        Reactions tried = Reactions.of(InterceptedCounterStore.of(memory, (method, call) -> {
            if (method.equals("turn")) {
                others.forgetPost("p");
                others.add("ann", "p");
            }
            return call.make();
        }));
        others.add("ann", "p");
        assertThatThrownBy(() -> tried.remove("ann", "p"))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("other calls changed Reaction[user=ann, post=p] 1000 times meanwhile");
    }

    @Test
    @DisplayName("are added by thousands, or not at all if one has no legal id")
    void many() {
        List<Reaction> reactions = new ArrayList<>();
        for (int i = 0; i < 2500; i++) {
            reactions.add(new Reaction("user-" + i % 1250, "post-" + i % 2));
        }
        reactions.add(new Reaction("b n", "post-0"));
        assertThatThrownBy(() -> likes.add(reactions))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("user must");
        assertThat(likes.get(List.of("post-0", "post-1"))).containsExactly(0L, 0L);
        reactions.remove(2500);
        likes.add(reactions);
        assertThat(likes.get(List.of("post-0", "post-1"))).containsExactly(625L, 625L);
    }
}

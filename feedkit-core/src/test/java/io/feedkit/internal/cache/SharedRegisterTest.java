package io.feedkit.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.ManualClock;
import io.feedkit.Post;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Readers whose views share their registrations")
class SharedRegisterTest {

    private static final int STALENESS = 1000;
    private static final int THREADS = 4;
    private static final int CHANGES = 500;

    private final ManualClock clock = new ManualClock();
    private final PulledRegister register =
            InMemoryFeedStore.create(clock).outbox().pulled();
    private final RegisterCache cache = new RegisterCache(register, clock, STALENESS);
    private final FolloweeSet ann = new FolloweeSet(Set.of("amy", "bob"), 0, true);
    private final FolloweeSet dan = new FolloweeSet(Set.of("bob", "cat"), 0, true);

    private static Post post(String author, int at) {
        return Post.of(author, "p", at);
    }

    private List<String> pulled(FolloweeSet reader, int limit) {
        return cache.current(reader)
                .pulled(reader.authors()::contains, PositionRange.ALL, Order.NEWEST_FIRST, limit)
                .authors();
    }

    @Test
    @DisplayName("see each change at once if it is the engine's own, and else with the next update")
    void changes() {
        register.put(List.of(post("bob", 1)));
        assertThat(pulled(ann, 20)).containsExactly("bob");
        assertThat(pulled(dan, 20)).containsExactly("bob");

        cache.put(List.of(post("cat", 2)));
        assertThat(pulled(ann, 20)).containsExactly("bob");
        assertThat(pulled(dan, 20)).containsExactly("cat", "bob");

        register.put(List.of(post("amy", 3)));
        assertThat(pulled(ann, 20)).containsExactly("bob");
        clock.advance(Duration.ofMillis(STALENESS));
        assertThat(pulled(ann, 20)).containsExactly("amy", "bob");

        cache.deleted(List.of(post("bob", 1).key()));
        assertThat(cache.current(dan).isRetracting(post("bob", 1))).isTrue();
        assertThat(cache.current(ann).isRetracting(post("bob", 1))).isTrue();
    }

    @Test
    @DisplayName("see each completed change, while other threads change and read the register")
    void atOnce() throws Exception {
        List<String> authors =
                IntStream.range(0, THREADS).mapToObj(i -> "author-" + i).toList();
        cache.current(Set.copyOf(authors));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Void>> changes = new ArrayList<>();
            for (String author : authors) {
                changes.add(() -> {
                    for (int at = 1; at <= CHANGES; at++) {
                        Post post = post(author, at);
                        cache.put(List.of(post));
                        FolloweeSet reader = new FolloweeSet(Set.copyOf(authors), 0, true);
                        assertThat(cache.known(reader).isUnpushed(post)).isTrue();
                        assertThat(cache.latest(reader).isUnpushed(post)).isTrue();
                    }
                    return null;
                });
            }
            for (Future<Void> change : threads.invokeAll(changes)) {
                change.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @DisplayName("get their own authors, from the newest")
    void own() {
        cache.put(List.of(post("amy", 3), post("bob", 1), post("cat", 2), post("eve", 4)));
        assertThat(cache.current(ann).registered()).containsOnlyKeys("amy", "bob");
        assertThat(cache.current(dan).registered()).containsOnlyKeys("bob", "cat");
        assertThat(pulled(ann, 1)).containsExactly("amy");
        assertThat(pulled(dan, 1)).containsExactly("cat");
        assertThat(cache.current(dan)
                        .pulled(dan.authors()::contains, PositionRange.ALL, Order.NEWEST_FIRST, 1)
                        .others())
                .isEqualTo(Optional.of(Position.of(post("bob", 1))));
    }
}

package io.feedkit.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.ManualClock;
import io.feedkit.Post;
import io.feedkit.ProbedStore;
import io.feedkit.memory.InMemoryFeedStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The registration of several readers' followees")
class RegisterCacheTest {

    private static final int STALENESS = 1000;

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final RegisterCache cache = new RegisterCache(store.outbox().pulled(), clock, STALENESS);
    private final List<FolloweeSet> followees = IntStream.range(0, 200)
            .mapToObj(reader -> new FolloweeSet(Set.of(author(reader), author(reader + 1), "bob"), 0, true))
            .toList();

    private static String author(int number) {
        return "author-" + number;
    }

    @BeforeEach
    void registerMore() {
        store.outbox()
                .pulled()
                .put(IntStream.rangeClosed(0, RegisterCache.WHOLE)
                        .mapToObj(number -> Post.of(author(number), "p", 1))
                        .toList());
    }

    private List<RegisterView> views() {
        List<RegisterView> views = cache.current(followees);
        for (int reader = 0; reader < followees.size(); reader++) {
            assertThat(views.get(reader).isAbout(followees.get(reader).authors()))
                    .isTrue();
            assertThat(views.get(reader).registered()).containsOnlyKeys(author(reader), author(reader + 1));
        }
        return views;
    }

    @Test
    @DisplayName("is asked for once, when it is too old and when authors are not known yet")
    void once() {
        cache.current(Set.of("bob"));
        views();
        assertThat(store.calls("PulledRegister.update")).isEqualTo(2);
        clock.advance(Duration.ofMillis(STALENESS));
        views();
        assertThat(store.calls("PulledRegister.update")).isEqualTo(3);
    }

    @Test
    @DisplayName("is collected again only after a change")
    void kept() {
        List<RegisterView> views = views();
        for (int reader = 0; reader < followees.size(); reader++) {
            assertThat(cache.current(followees).get(reader)).isSameAs(views.get(reader));
        }
        cache.put(List.of(Post.of("bob", "p", 1)));
        assertThat(cache.current(followees)).allMatch(view -> view.isPulled("bob"));
        assertThat(store.calls("PulledRegister.update")).isEqualTo(1);
    }
}

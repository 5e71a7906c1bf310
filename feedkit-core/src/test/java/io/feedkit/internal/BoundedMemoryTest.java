package io.feedkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.ProbedStore;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.PulledRegister;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an engine remembers is filled with ten times its bound. The bounds of followees and of own posts have tests of their own. */
@DisplayName("What an engine remembers is bounded")
class BoundedMemoryTest {

    private final PulledRegister register = InMemoryFeedStore.create().outbox().pulled();
    private final RegisterView view = new RegisterView(register, Clock.systemUTC(), 1000);

    @Test
    @DisplayName("deletes of an engine that never reads: it fetches the register now and then")
    void deletes() {
        view.refresh();
        for (int n = 0; n < 10 * RegisterView.MOST_OWN; n++) {
            view.deleted(new PostKey("bob", "p" + n));
            assertThat(view.known().ownRetracting()).hasSizeLessThanOrEqualTo(RegisterView.MOST_OWN);
        }
        assertThat(view.isStale()).isFalse();
    }

    @Test
    @DisplayName("deletes, too, while the register cannot be fetched: what is known then is not gone by")
    void deletesInAnOutage() {
        ProbedStore store = new ProbedStore(InMemoryFeedStore.create());
        RegisterView failing = new RegisterView(store.outbox().pulled(), Clock.systemUTC(), 1000);
        failing.refresh();
        store.fail("PulledRegister.version");
        store.fail("PulledRegister.snapshot");
        for (int n = 0; n < 10 * RegisterView.MOST_OWN; n++) {
            failing.deleted(new PostKey("bob", "p" + n));
            assertThat(failing.known().ownRetracting()).hasSizeLessThanOrEqualTo(2 * RegisterView.MOST_OWN);
        }
        assertThat(failing.isStale()).isTrue();
        assertThat(store.calls("PulledRegister.version")).isLessThan(100);
    }

    @Test
    @DisplayName("pulled authors of an engine that never reads, who are in the register all the same")
    void pulled() {
        view.refresh();
        for (int n = 0; n < 10 * RegisterView.MOST_OWN; n++) {
            view.put(List.of(Post.of("author-" + n, "p", 1)));
            assertThat(view.known().ownPulled()).hasSizeLessThanOrEqualTo(RegisterView.MOST_OWN);
        }
        assertThat(view.refresh().pulled()).hasSize(10 * RegisterView.MOST_OWN);
        assertThat(view.isPulled("author-0")).isTrue();
    }

    @Test
    @DisplayName("readers who were reconciled lately, the least recent of whom are forgotten")
    void readers() {
        RecentReaders readers = new RecentReaders();
        for (int n = 0; n < 10 * RecentReaders.MOST; n++) {
            assertThat(readers.isDue("reader-" + n, 1, 1000)).isTrue();
        }
        assertThat(readers.size()).isEqualTo(RecentReaders.MOST);
        assertThat(readers.isDue("reader-0", 2, 1000)).isTrue();
        assertThat(readers.isDue("reader-" + (10 * RecentReaders.MOST - 1), 2, 1000))
                .isFalse();
    }

    @Test
    @DisplayName("a time ahead of a clock that was set back is not lately")
    void clockSetBack() {
        RecentReaders readers = new RecentReaders();
        assertThat(readers.isDue("ann", 5000, 1000)).isTrue();
        assertThat(readers.isDue("ann", 4999, 1000)).isTrue();
        assertThat(readers.isDue("ann", 5500, 1000)).isFalse();
    }
}

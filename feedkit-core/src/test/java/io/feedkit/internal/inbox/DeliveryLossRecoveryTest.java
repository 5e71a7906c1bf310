package io.feedkit.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.ManualClock;
import io.feedkit.Post;
import io.feedkit.ProbedStore;
import io.feedkit.event.FeedListener;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.TestSettings;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Position;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Tasks that began after a loss of deliveries are bounded")
class DeliveryLossRecoveryTest {

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private final EngineSettings settings = TestSettings.with(clock, 100);

    private static Task task(int number, String after) {
        Position place = Position.of(Post.of("bob", "p", 1));
        return new Task("task-" + number, Kind.PUSH, place, place, 1, KeyRange.ALL, after, 0, 1);
    }

    @Test
    @DisplayName("tasks that began after a loss of deliveries: those that were forgotten begin again, once more")
    void doubts() {
        DeliveryLossRecovery doubts = new DeliveryLossRecovery(
                settings,
                trustedSince(clock.millis()),
                store.outbox().fanout(),
                new FolloweeCache(store.graph(), settings),
                new GuardedListener(settings, new FeedListener() {}));
        doubts.look();
        int last = 10 * DeliveryLossRecovery.MOST_BEGUN - 1;
        int most = 0;
        for (int n = 0; n <= last; n++) {
            doubts.begin(task(n, ""));
            most = Math.max(most, doubts.size());
        }
        assertThat(most).isEqualTo(DeliveryLossRecovery.MOST_BEGUN);
        doubts.begin(task(last, ""));
        assertThat(doubts.concern(task(last - 1, "reader"))).isFalse();
        assertThat(doubts.concern(task(0, "reader"))).isTrue();
        doubts.begin(task(0, ""));
        assertThat(doubts.concern(task(0, "reader"))).isFalse();
    }

    private static Inbox trustedSince(long time) {
        return (Inbox) Proxy.newProxyInstance(
                Inbox.class.getClassLoader(), new Class<?>[] {Inbox.class}, (self, method, arguments) -> time);
    }
}

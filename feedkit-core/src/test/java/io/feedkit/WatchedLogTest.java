package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Watch;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A fan-out log that tells of tasks")
class WatchedLogTest {

    private final InMemoryFeedStore memory = InMemoryFeedStore.create();
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    private final FanoutLog log =
            instead(FanoutLog.class, memory.outbox().fanout(), "watch", args -> watch((Runnable) args[0]));
    private final Outbox outbox = instead(Outbox.class, memory.outbox(), "fanout", args -> log);
    private final FeedStore store = FeedStore.of(outbox, memory::inbox, memory.graph(), memory.seenMarks());

    private Watch watch(Runnable wakeUp) {
        watchers.add(wakeUp);
        return () -> watchers.remove(wakeUp);
    }

    /** The target, but one of its methods is another. */
    private static <T> T instead(Class<T> type, T target, String method, Function<Object[], Object> answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        return answer.apply(arguments == null ? new Object[0] : arguments);
                    }
                    try {
                        return called.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Test
    @DisplayName("wakes an engine's workers long before their next poll, until the engine is closed")
    void wakes() {
        try (FeedEngine publisher = FeedEngine.builder(store).workers(0).build()) {
            FeedEngine worker = FeedEngine.builder(store)
                    .workers(2)
                    .fanout(fanout -> fanout.pollInterval(Duration.ofHours(1)))
                    .build();
            assertThat(watchers).as("watchers, of which one has workers").hasSize(1);
            for (int i = 0; i < 20; i++) {
                publisher.publish("bob", "p" + i);
                watchers.forEach(Runnable::run);
                await().until(() -> log.queueStatus().unfinished() == 0);
            }
            worker.close();
            assertThat(watchers).isEmpty();
        }
    }
}

package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.event.FeedListener;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.fanout.TaskKind;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A policy for all engines")
class PolicySwitchTest {

    private static final String CALM = "calm";

    private final InMemoryFeedStore memory = InMemoryFeedStore.create();
    private final ProbedStore store = new ProbedStore(memory);
    private final List<FeedEngine> engines = new ArrayList<>();
    private final List<FanoutMode> modes = new ArrayList<>();
    private int published;

    @AfterEach
    void close() {
        engines.forEach(FeedEngine::close);
    }

    private FeedEngine engine(Duration staleness) {
        FeedEngine engine = FeedEngine.builder(store)
                .workers(0)
                .namedPolicy(CALM, FanoutPolicy.pull())
                .reading(reading -> reading.staleness(staleness))
                .listener(new FeedListener() {
                    @Override
                    public void published(PostPublished event) {
                        modes.add(event.mode());
                    }
                })
                .build();
        engines.add(engine);
        return engine;
    }

    private FanoutMode modeOf(FeedEngine engine) {
        engine.publish("bob", "p" + published++);
        return modes.get(modes.size() - 1);
    }

    private FanoutMode modeInTransaction(FeedEngine engine) {
        try (InMemoryTransaction transaction = memory.begin()) {
            engine.publish(Post.of("bob", "p" + published++, published), transaction);
            transaction.commit();
        }
        engine.read("bob", PageRequest.first(1));
        return engine.fanout().backlog().byKind().containsKey(TaskKind.PULL) ? FanoutMode.PULL : FanoutMode.PUSH;
    }

    @Test
    @DisplayName("is followed at once by the engine that switches, and by another one within the staleness")
    void staleness() {
        FeedEngine one = engine(Duration.ofHours(1));
        FeedEngine hours = engine(Duration.ofHours(1));
        FeedEngine soon = engine(Duration.ofMillis(50));
        assertThat(modeOf(hours)).isEqualTo(FanoutMode.PUSH);
        assertThat(modeOf(soon)).isEqualTo(FanoutMode.PUSH);
        one.usePolicyOnAllEngines(CALM);
        assertThat(modeOf(one)).isEqualTo(FanoutMode.PULL);
        assertThat(modeOf(hours)).isEqualTo(FanoutMode.PUSH);
        await().atMost(Duration.ofSeconds(10)).until(() -> modeOf(soon) == FanoutMode.PULL);
    }

    @Test
    @DisplayName("is asked for beside a publish in a transaction, which does not wait")
    void transaction() {
        FeedEngine one = engine(Duration.ZERO);
        one.usePolicyOnAllEngines(CALM);
        FeedEngine other = engine(Duration.ZERO);
        await().atMost(Duration.ofSeconds(10)).until(() -> modeInTransaction(other) == FanoutMode.PULL);
    }

    @Test
    @DisplayName("is not undone by the answer to an earlier question")
    void overtaken() {
        FeedEngine engine = engine(Duration.ofHours(1));
        List<String> asked = new ArrayList<>();
        store.after("FanoutLog.policyInUse", () -> {
            if (asked.isEmpty()) {
                asked.add(CALM);
                engine.usePolicyOnAllEngines(CALM);
            }
        });
        modeOf(engine);
        assertThat(asked).hasSize(1);
        assertThat(modeOf(engine)).isEqualTo(FanoutMode.PULL);
    }
}

package io.feedkit.micrometer;

import static org.awaitility.Awaitility.await;

import io.feedkit.CallbackException;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.cards.CardField;
import io.feedkit.cards.CardPart;
import io.feedkit.cards.PageAssembly;
import io.feedkit.counter.WriteBehindStatus;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.live.LiveEvent;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPostArchive;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.fault.FaultyFeedStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Flow;
import java.util.function.UnaryOperator;

/**
 * A real engine in memory, without workers, whose events and gauges go to a registry. Its users are of names that no
 * tag has.
 */
final class MeasuredFeed implements AutoCloseable {

    static final List<String> USERS = List.of("user-ann", "user-bob", "user-cid", "user-pop");

    private static final PageRequest FIRST = PageRequest.first(20);

    final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    final FaultyFeedStore store = FaultyFeedStore.around(InMemoryFeedStore.create(clock));
    final MeterRegistry registry;
    final FeedMetrics metrics;
    final FeedEngine engine;
    private final MockClock meterClock;
    private volatile boolean filterFails;
    private volatile WriteBehindStatus counters =
            WriteBehindStatus.builder().cacheReachable(true).build();
    private int posts;

    /** @param meterClock the clock of the registry */
    MeasuredFeed(MeterRegistry registry, MockClock meterClock) {
        this(registry, meterClock, UnaryOperator.identity());
    }

    MeasuredFeed(MeterRegistry registry, MockClock meterClock, UnaryOperator<FeedEngineBuilder> settings) {
        this.registry = registry;
        this.meterClock = meterClock;
        metrics = FeedMetrics.create(registry);
        engine = settings.apply(FeedEngine.builder(store)
                        .clock(clock)
                        .workers(0)
                        .archive(InMemoryPostArchive.create())
                        .filter((reader, some) -> {
                            if (filterFails) {
                                throw new IllegalStateException("broken by the host");
                            }
                            return List.copyOf(some);
                        })
                        .fanout(fanout -> fanout.maxAttempts(2))
                        .live(live -> live.executor(turn -> {})) // subscribers do not read meanwhile
                        .listener(metrics))
                .build();
        metrics.watch(engine);
        metrics.watchCounters(() -> counters);
    }

    /** Lets time pass, for the engine and for the meters. */
    void pass(Duration time) {
        clock.advance(time);
        meterClock.add(time);
    }

    WriteBehindStatus counters() {
        return counters;
    }

    void counters(WriteBehindStatus status) {
        counters = status;
    }

    Post publish(String author) {
        clock.advance(Duration.ofSeconds(1));
        return engine.publish(author, "post-" + posts++).post();
    }

    void read(String reader) {
        engine.read(reader, FIRST);
    }

    /** Something of everything that is measured and succeeds. Ann has a live inbox, Cid has none. */
    void work() {
        engine.follow("user-ann", "user-bob");
        engine.follow("user-ann", "user-pop");
        engine.follow("user-cid", "user-bob");
        read("user-ann");
        engine.delete("user-bob", publish("user-bob").id());
        engine.fanout().drain();
        publish("user-bob");
        engine.fanout().drain();
        engine.usePolicy(FanoutPolicy.pull());
        publish("user-pop");
        engine.usePolicy(FanoutPolicy.push());
        read("user-ann");
        engine.rebuild("user-ann");
        engine.refresh("user-ann");
        engine.unread("user-ann");
        engine.unfollow("user-ann", "user-pop");
        subscribe("user-ann");
        meterClock.add(FeedMetrics.DEFAULT_REFRESH_INTERVAL);
    }

    /** A failure of everything that can fail. */
    void trouble() {
        failRead("user-ann");
        failPublish();
        failPush();
        failCard();
    }

    void failRead(String reader) {
        filterFails = true;
        try {
            read(reader);
            throw new AssertionError("the read succeeded");
        } catch (CallbackException e) {
            filterFails = false;
        }
    }

    void failPublish() {
        engine.usePolicy(author -> {
            throw new IllegalStateException("broken by the host");
        });
        try {
            publish("user-bob");
            throw new AssertionError("the publish succeeded");
        } catch (CallbackException e) {
            engine.usePolicy(FanoutPolicy.push());
        }
    }

    /** Lets the push of a new post fail until it is a dead letter: twice. */
    void failPush() {
        read("user-ann");
        store.onCall(call -> call.operation().equals("inbox.deliver"), call -> {
            throw new IllegalStateException("broken");
        });
        publish("user-bob");
        engine.fanout().drain();
        pass(Duration.ofHours(1));
        engine.fanout().drain();
        store.heal();
    }

    void failCard() {
        CardField<String> content = CardField.content(some -> {
            Map<Post, String> texts = new HashMap<>();
            some.forEach(post -> texts.put(post, "text"));
            return texts;
        });
        CardField<String> part = CardPart.<String, String>of("sound", keys -> {
                    throw new IllegalStateException("broken by the host");
                })
                .orElse("none")
                .by(Post::author);
        engine.read("user-ann", FIRST, PageAssembly.of(content, part));
    }

    /** Lets the engine suspect that deliveries were lost. */
    void loseDeliveries() {
        double before = registry.get("feedkit.suspected.losses").counter().count();
        engine.fanout().drain(); // a loss that an engine finds at its start is not reported
        engine.fanout().distrustInboxes();
        await().until(() -> {
            pass(Duration.ofSeconds(2));
            engine.fanout().drain();
            return registry.get("feedkit.suspected.losses").counter().count() > before;
        });
    }

    void subscribe(String reader) {
        engine.live(reader).subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {}

            @Override
            public void onNext(LiveEvent event) {}

            @Override
            public void onError(Throwable failure) {}

            @Override
            public void onComplete() {}
        });
    }

    @Override
    public void close() {
        engine.close();
        metrics.close();
    }
}

package io.feedkit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.CallbackException;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.event.OperationEnd;
import io.feedkit.event.OperationStarted;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.fault.FaultyFeedStore;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("Observations of an engine")
class FeedObservationsTest {

    /** Records what a tracer would make of observations, and which was current during calls to the store. */
    private final class Spans implements ObservationHandler<Observation.Context> {

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        @Override
        public void onEvent(Observation.Event event, Observation.Context context) {
            events.add(context.getName() + ": " + event.getName() + ", " + event.getContextualName());
        }

        @Override
        public void onStop(Observation.Context context) {
            stopped.add(context);
        }
    }

    private final List<Observation.Context> stopped = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final List<String> callers = new ArrayList<>();
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final FaultyFeedStore store = FaultyFeedStore.around(InMemoryFeedStore.create(clock));

    FeedObservationsTest() {
        registry.observationConfig().observationHandler(new Spans());
    }

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .fanout(fanout -> fanout.maxAttempts(1))
                .listener(FeedObservations.create(registry));
    }

    /** Records which observation is current during each call of an operation to the store. */
    private void watch(String operation) {
        store.onCall(call -> call.operation().equals(operation), call -> {
            Observation current = registry.getCurrentObservation();
            callers.add(operation + " in "
                    + (current == null ? "none" : current.getContext().getName()));
        });
    }

    private List<String> described() {
        return stopped.stream()
                .map(context -> context.getName() + " \"" + context.getContextualName() + "\" "
                        + values(context.getLowCardinalityKeyValues()) + " "
                        + values(context.getHighCardinalityKeyValues()))
                .toList();
    }

    private static String values(KeyValues values) {
        return values.stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    @Test
    @DisplayName("are made of publishes, rounds of tasks, reads and unread counts")
    void observed() {
        try (FeedEngine feed = builder().build()) {
            feed.follow("user-ann", "user-bob");
            feed.read("user-ann", PageRequest.first(1));
            stopped.clear();
            feed.publishAll(List.of(Post.of("user-bob", "a", 1), Post.of("user-bob", "b", 2)));
            feed.fanout().drain();
            feed.read("user-ann", PageRequest.first(20));
            feed.unread("user-ann");
        }
        assertThat(described())
                .containsExactly(
                        "feedkit.publish \"publish posts\" {} {posts=2}",
                        "feedkit.process.tasks \"process fan-out tasks\" {} {failed=0, finished=2, tasks=2}",
                        "feedkit.read \"read feed\" {source=inbox} {limit=20, outbox.calls=0, posts=2}",
                        "feedkit.count.unread \"count unread posts\" {} {readers=1}");
        assertThat(stopped)
                .flatExtracting(context -> context.getAllKeyValues().stream()
                        .map(KeyValue::getValue)
                        .toList())
                .doesNotContainAnyElementsOf(MeasuredFeed.USERS);
    }

    @Test
    @DisplayName("are current during the calls to the store, and not afterwards")
    void scope() {
        try (FeedEngine feed = builder().build()) {
            feed.follow("user-ann", "user-bob");
            feed.read("user-ann", PageRequest.first(1));
            watch("outbox.append");
            watch("inbox.deliver");
            watch("inbox.slice");
            feed.publish("user-bob", "p1");
            feed.fanout().drain();
            feed.read("user-ann", PageRequest.first(20));
        }
        assertThat(callers)
                .containsOnly(
                        "outbox.append in feedkit.publish",
                        "inbox.deliver in feedkit.process.tasks",
                        "inbox.slice in feedkit.read");
        assertThat(registry.getCurrentObservation()).isNull();
    }

    @Test
    @DisplayName("are children of the request that calls the engine, and parents of observed calls to the store")
    void parents() {
        try (FeedEngine feed = builder().build()) {
            store.onCall(
                    call -> call.operation().equals("outbox.append"),
                    call -> Observation.createNotStarted("jdbc.query", registry).observe(() -> {}));
            Observation.createNotStarted("http.server.requests", registry)
                    .observe(() -> feed.publish("user-bob", "p1"));
        }
        assertThat(stopped)
                .extracting(Observation.Context::getName)
                .containsExactly("jdbc.query", "feedkit.publish", "http.server.requests");
        assertThat(parent(0)).isEqualTo("feedkit.publish");
        assertThat(parent(1)).isEqualTo("http.server.requests");
    }

    private String parent(int number) {
        return Objects.requireNonNull(stopped.get(number).getParentObservation())
                .getContextView()
                .getName();
    }

    @Test
    @DisplayName("have the error of a failed operation")
    void errors() {
        try (FeedEngine feed = builder()
                .filter((reader, posts) -> {
                    throw new IllegalStateException("broken by the host");
                })
                .build()) {
            feed.follow("user-ann", "user-bob");
            feed.publish("user-bob", "p1");
            stopped.clear();
            assertThatThrownBy(() -> feed.read("user-ann", PageRequest.first(20)))
                    .isInstanceOf(CallbackException.class);
        }
        assertThat(stopped).hasSize(1);
        assertThat(stopped.get(0).getError()).isInstanceOf(CallbackException.class);
        assertThat(described()).containsExactly("feedkit.read \"read feed\" {source=none} {limit=20}");
        assertThat(registry.getCurrentObservation()).isNull();
    }

    @Test
    @DisplayName("have an event for each failed task, without the reason, which may name users")
    void failedTasks() {
        try (FeedEngine feed = builder().build()) {
            feed.follow("user-ann", "user-bob");
            feed.read("user-ann", PageRequest.first(1));
            store.onCall(call -> call.operation().equals("inbox.deliver"), call -> {
                throw new IllegalStateException("user-ann");
            });
            feed.publish("user-bob", "p1");
            stopped.clear();
            feed.fanout().drain();
        }
        assertThat(events).containsExactly("feedkit.process.tasks: task.failed, task failed: push, dead letter");
        assertThat(described())
                .containsExactly("feedkit.process.tasks \"process fan-out tasks\" {} {failed=1, finished=0, tasks=1}");
        assertThat(stopped.get(0).getError()).isNull();
    }

    @Test
    @DisplayName("make timers by Micrometer's handler")
    void timers() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        try (FeedEngine feed = builder().build()) {
            feed.follow("user-ann", "user-bob");
            feed.publish("user-bob", "p1");
            feed.fanout().drain();
            feed.read("user-ann", PageRequest.first(20));
        }
        assertThat(meters.get("feedkit.publish").timer().count()).isEqualTo(1);
        assertThat(meters.get("feedkit.process.tasks").timer().count()).isEqualTo(1);
        assertThat(meters.get("feedkit.read")
                        .tags("source", "inbox", "error", "none")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    @DisplayName("make timers beside the meters of FeedMetrics, in one registry for Prometheus")
    void besideMetrics() {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        meters.throwExceptionOnRegistrationFailure();
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        try (FeedMetrics metrics = FeedMetrics.create(meters);
                FeedEngine feed = builder().listener(metrics).build()) {
            metrics.watch(feed);
            feed.follow("user-ann", "user-bob");
            feed.publish("user-bob", "p1");
            feed.fanout().drain();
            feed.read("user-ann", PageRequest.first(20));
            feed.unread("user-ann");
            assertThat(meters.scrape())
                    .contains("feedkit_read_seconds_count{error=\"none\",source=\"inbox\"} 1")
                    .contains("feedkit_reads_seconds_count{source=\"inbox\"} 1");
        }
    }

    @Test
    @DisplayName("take names from the host's convention")
    void convention() {
        registry.observationConfig().observationConvention(new GlobalObservationConvention<FeedObservationContext>() {
            @Override
            public boolean supportsContext(Observation.Context context) {
                return context instanceof FeedObservationContext;
            }

            @Override
            public String getName() {
                return "home";
            }

            @Override
            public KeyValues getHighCardinalityKeyValues(FeedObservationContext context) {
                return KeyValues.of(
                        "reader", context.read().map(page -> page.reader()).orElse("none"));
            }
        });
        try (FeedEngine feed = builder().build()) {
            feed.read("user-ann", PageRequest.first(20));
        }
        assertThat(described()).containsExactly("home \"null\" {} {reader=user-ann}");
    }

    @Test
    @DisplayName("cost nothing without a handler, and leave no scope open if a handler fails")
    void noopAndFailingHandlers() {
        FeedObservations noop = FeedObservations.create(ObservationRegistry.create());
        assertThat(noop.started(OperationStarted.of(OperationStarted.Kind.READ, 20)))
                .isSameAs(OperationEnd.NONE);

        registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }

            @Override
            public void onScopeOpened(Observation.Context context) {
                throw new IllegalStateException("broken by the host");
            }
        });
        try (FeedEngine feed = builder().build()) {
            assertThat(feed.publish("user-bob", "p1").post().id()).isEqualTo("p1");
        }
        assertThat(stopped).extracting(Observation.Context::getName).containsExactly("feedkit.publish");
        assertThat(registry.getCurrentObservation()).isNull();
    }
}

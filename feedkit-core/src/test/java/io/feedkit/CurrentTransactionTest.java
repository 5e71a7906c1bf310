package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.PostEvent;
import io.feedkit.queue.PostEventSink;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An engine that finds the host's transactions")
class CurrentTransactionTest {

    private static final PageRequest FIRST = PageRequest.first(100);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final HostsTable table = new HostsTable();
    private final List<Runnable> afterCommit = new ArrayList<>();
    private Optional<PublishTransaction> current = Optional.empty();
    private final FeedEngine feed = FeedEngine.builder(table.in(memory))
            .clock(clock)
            .workers(0)
            .transactions(new PublishTransaction.Current() {
                @Override
                public Optional<PublishTransaction> find() {
                    return current;
                }

                @Override
                public boolean afterCommit(Runnable action) {
                    return afterCommit.add(action);
                }
            })
            .build();

    @AfterEach
    void close() {
        feed.close();
    }

    private List<String> shown(String author) {
        return feed.readAuthor(author, FIRST).items().stream().map(Post::id).toList();
    }

    @Test
    @DisplayName("joins the one that the calling thread is in")
    void joins() {
        feed.publish("bob", "before");
        InMemoryTransaction transaction = memory.begin();
        current = Optional.of(transaction);
        feed.publish("bob", "inside");
        feed.delete("bob", "before");
        current = Optional.empty();
        assertThat(shown("bob")).as("not committed").containsExactly("before");
        transaction.commit();
        assertThat(shown("bob")).containsExactly("inside");
    }

    @Test
    @DisplayName("writes nothing if it is rolled back")
    void rollback() {
        feed.publish("bob", "before");
        InMemoryTransaction transaction = memory.begin();
        current = Optional.of(transaction);
        feed.publish("bob", "inside");
        feed.deleteAll(List.of(new PostKey("bob", "before")));
        current = Optional.empty();
        transaction.rollback();
        assertThat(shown("bob")).containsExactly("before");
    }

    @Test
    @DisplayName("reports changed follows in it")
    void reportsInside() {
        feed.publish("bob", "one");
        assertThat(feed.read("ann", FIRST).items()).isEmpty();
        InMemoryTransaction transaction = memory.begin();
        current = Optional.of(transaction);
        feed.hostGraph().followed("ann", "bob");
        current = Optional.empty();
        table.insert("ann", "bob");
        transaction.commit();
        assertThat(feed.read("ann", FIRST).items()).hasSize(1);
        assertThat(afterCommit).isEmpty();
    }

    @Test
    @DisplayName("hands reports over if there is none to join")
    void reportsAfterCommit() {
        feed.publish("bob", "one");
        assertThat(feed.read("ann", FIRST).items()).isEmpty();
        feed.hostGraph().followedAll("ann", List.of("bob"));
        table.insert("ann", "bob");
        afterCommit.forEach(Runnable::run);
        assertThat(feed.read("ann", FIRST).items()).hasSize(1);
    }

    @Test
    @DisplayName("hides deleted posts at its commit, and not before")
    void deletesAtCommit() {
        table.insert("ann", "bob");
        feed.publish("bob", "one");
        feed.fanout().drain();
        assertThat(feed.read("ann", FIRST).items()).hasSize(1);
        InMemoryTransaction transaction = memory.begin();
        current = Optional.of(transaction);
        feed.delete("bob", "one");
        current = Optional.empty();
        assertThat(feed.read("ann", FIRST).items()).as("not committed").hasSize(1);
        transaction.commit();
        afterCommit.forEach(Runnable::run);
        assertThat(feed.read("ann", FIRST).items()).isEmpty();
    }

    @Test
    @DisplayName("passes on what the host throws, and writes nothing")
    void failing() {
        try (FeedEngine failing = FeedEngine.builder(memory)
                .workers(0)
                .transactions(() -> {
                    throw new IllegalStateException("no transaction manager");
                })
                .build()) {
            assertThatThrownBy(() -> failing.publish("bob", "one")).hasMessage("no transaction manager");
            assertThat(shown("bob")).isEmpty();
        }
    }

    @Test
    @DisplayName("starts paused if the host wants it, and works after resume")
    void startPaused() {
        try (FeedEngine paused =
                FeedEngine.builder(memory).startPaused(true).workers(1).build()) {
            paused.follow("ann", "bob");
            paused.publish("bob", "one");
            await().during(Duration.ofMillis(500))
                    .until(() -> paused.fanout().backlog().tasks() == 1);
            paused.fanout().resume();
            await().until(() -> paused.fanout().backlog().tasks() == 0);
        }
    }

    @Test
    @DisplayName("sends no event to a sink while it has not been resumed")
    void eventsWait() {
        List<String> sent = new CopyOnWriteArrayList<>();
        PostEventSink sink = new RecordingSink(sent);
        try (FeedEngine paused = FeedEngine.builder(memory)
                .startPaused(true)
                .workers(0)
                .postEvents(sink)
                .build()) {
            paused.publish("bob", "one");
            await().during(Duration.ofMillis(500)).until(sent::isEmpty);
            paused.fanout().resume();
            await().until(() -> sent.equals(List.of("one")));
        }
    }

    private record RecordingSink(List<String> sent) implements PostEventSink {
        @Override
        public List<Sent> send(List<PostEvent> events) {
            events.forEach(event -> sent.add(event.post().id()));
            return events.stream().map(event -> Sent.CONFIRMED).toList();
        }

        @Override
        public void close() {}
    }

    @Test
    @DisplayName("starts nothing if it is resumed after it was closed")
    void resumedTooLate() {
        List<String> calls = new CopyOnWriteArrayList<>();
        FanoutLog log = counted(FanoutLog.class, memory.outbox().fanout(), calls, Map.of());
        Outbox outbox = counted(Outbox.class, memory.outbox(), calls, Map.of("fanout", log));
        FeedEngine paused = FeedEngine.builder(FeedStore.of(outbox, memory::inbox, memory.graph(), memory.seenMarks()))
                .startPaused(true)
                .workers(0)
                .fanoutQueue(QueuedFanout.over(InMemoryFanoutQueue.create()))
                .build();
        paused.close();
        paused.fanout().resume();
        assertThat(calls).as("the relay watches the log").doesNotContain("watch");
    }

    /** A part of the store that notes the names of its calls, and answers some of them itself. */
    private static <T> T counted(Class<T> type, T part, List<String> calls, Map<String, ?> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, call, given) -> {
            calls.add(call.getName());
            Object answer = answers.get(call.getName());
            return answer == null ? call.invoke(part, given) : answer;
        }));
    }
}

package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import io.feedkit.event.TaskFailed;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.InboxLimits;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A delivery that does not reach the inboxes of some readers")
class UnreachableInboxesTest {

    private static final List<String> READERS = List.of("r1", "r2", "r3", "r4", "r5", "r6");
    private static final Duration DELAY = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final Set<String> unreachable = ConcurrentHashMap.newKeySet();
    private final List<List<String>> calls = new ArrayList<>();
    private final List<TaskFailed> failures = new ArrayList<>();
    private final List<PostDelivered> delivered = new ArrayList<>();
    private final FeedStore store = FeedStore.of(memory.outbox(), this::inbox, memory.graph(), memory.seenMarks());
    private FeedEngine engine = builder().build();

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .fanout(fanout -> fanout.batchSize(2))
                .listener(new FeedListener() {
                    @Override
                    public void taskFailed(TaskFailed event) {
                        failures.add(event);
                    }

                    @Override
                    public void delivered(PostDelivered event) {
                        delivered.add(event);
                    }
                });
    }

    private void reopen(FeedEngineBuilder builder) {
        engine.close();
        engine = builder.build();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    /** The inboxes in memory, some of which a delivery does not reach. */
    private Inbox inbox(InboxLimits limits) {
        Inbox target = memory.inbox(limits);
        return (Inbox) Proxy.newProxyInstance(
                Inbox.class.getClassLoader(),
                new Class<?>[] {Inbox.class},
                (proxy, method, arguments) -> method.getName().equals("deliver")
                        ? deliver(target, castDeliveries(arguments[0]))
                        : call(target, method, arguments));
    }

    private static Object call(Inbox target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @SuppressWarnings("unchecked") // of the interface's method
    private static List<Delivery> castDeliveries(Object argument) {
        return (List<Delivery>) argument;
    }

    private List<List<Outcome>> deliver(Inbox target, List<Delivery> deliveries) {
        List<String> readers =
                deliveries.stream().flatMap(each -> each.readers().stream()).toList();
        calls.add(readers);
        if (unreachable.containsAll(readers)) {
            throw new StoreUnavailableException("inbox.deliver", null);
        }
        return deliveries.stream()
                .map(each -> each.readers().stream()
                        .map(reader -> unreachable.contains(reader)
                                ? Outcome.UNREACHABLE
                                : target.deliver(List.of(new Delivery(each.post(), List.of(reader), each.seenSince())))
                                        .get(0)
                                        .get(0))
                        .toList())
                .toList();
    }

    private void follow(String author, List<String> readers) {
        for (String reader : readers) {
            engine.follow(reader, author);
            engine.read(reader, PageRequest.first(1));
        }
    }

    private List<String> readersWith(String post) {
        return READERS.stream()
                .filter(reader -> engine.read(reader, PageRequest.first(100)).items().stream()
                        .anyMatch(each -> each.id().equals(post)))
                .toList();
    }

    @Test
    @DisplayName("goes on to the others, on all pages, and reaches these readers when they are back")
    void goesOn() {
        follow("bob", READERS);
        unreachable.addAll(List.of("r2", "r4"));
        engine.publish("bob", "p1");
        engine.fanout().drain();
        assertThat(readersWith("p1")).containsExactly("r1", "r3", "r5", "r6");
        assertThat(failures)
                .extracting(TaskFailed::reason)
                .singleElement()
                .asString()
                .contains("cannot be reached");
        assertThat(engine.fanout().backlog().deferred()).isEqualTo(1);

        unreachable.clear();
        clock.advance(DELAY);
        assertThat(engine.fanout().drain()).isEqualTo(1);
        assertThat(readersWith("p1")).isEqualTo(READERS);
        assertThat(engine.fanout().backlog().tasks()).isZero();
    }

    @Test
    @DisplayName("is one call for many posts, and not one for each")
    void together() {
        follow("bob", READERS.subList(0, 2));
        follow("cat", READERS.subList(1, 3));
        follow("dan", READERS.subList(2, 4));
        unreachable.add("r2");
        calls.clear();
        List.of("bob", "cat", "dan").forEach(author -> engine.publish(author, author));
        assertThat(engine.fanout().drain()).isEqualTo(1);
        assertThat(calls)
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(6);
        assertThat(readersWith("bob")).containsExactly("r1");
        assertThat(readersWith("cat")).containsExactly("r3");
        assertThat(readersWith("dan")).containsExactly("r3", "r4");
    }

    @Test
    @DisplayName("reaches the author's own inbox later, too")
    void ownInbox() {
        reopen(builder().ownPosts(true));
        follow("eve", List.of("bob"));
        follow("bob", READERS);
        unreachable.add("bob");
        engine.publish("bob", "p1");
        engine.fanout().drain();
        assertThat(readersWith("p1")).isEqualTo(READERS);
        assertThat(delivered).noneMatch(event -> event.readers().contains("bob"));
        unreachable.clear();
        clock.advance(DELAY);
        engine.fanout().drain();
        assertThat(delivered).anyMatch(event -> event.readers().contains("bob"));
        assertThat(engine.fanout().backlog().tasks()).isZero();
    }

    @Test
    @DisplayName("is tried again by another engine at the first of these readers only, while that is not reached")
    void anotherEngine() {
        follow("bob", READERS);
        unreachable.addAll(List.of("r3", "r6"));
        engine.publish("bob", "p1");
        engine.fanout().drain();
        reopen(builder());
        calls.clear();
        clock.advance(DELAY);
        engine.fanout().drain();
        assertThat(calls).containsExactly(List.of("r3"));

        unreachable.remove("r3");
        clock.advance(Duration.ofMinutes(5));
        engine.fanout().drain();
        assertThat(readersWith("p1")).containsExactly("r1", "r2", "r3", "r4", "r5");
        unreachable.clear();
        clock.advance(Duration.ofMinutes(5));
        calls.clear();
        engine.fanout().drain();
        assertThat(calls).containsExactly(List.of("r6"));
        assertThat(readersWith("p1")).isEqualTo(READERS);
    }

    @Test
    @DisplayName("goes on where it was in another engine, and comes back to them after the last page")
    void handedOver() {
        follow("bob", READERS);
        unreachable.add("r2");
        engine.publish("bob", "p1");
        List<String> cursors = new ArrayList<>();
        memory.outbox()
                .fanout()
                .claim(1, 1)
                .forEach(claim -> memory.outbox().fanout().release(List.of(new FanoutLog.Release(claim, "r1 r4", 0))));
        calls.clear();
        engine.fanout().drain();
        assertThat(calls).containsExactly(List.of("r5", "r6"));
        memory.outbox().fanout().hasten(1);
        memory.outbox()
                .fanout()
                .claim(1, 1)
                .forEach(claim -> cursors.add(claim.task().after()));
        assertThat(cursors).containsExactly("r1 r1");
    }

    @Test
    @DisplayName("repeats little for the others in an hour, though other posts reach their readers all the time")
    void repeatsLittle() {
        follow("bob", READERS);
        follow("cat", List.of("r1"));
        unreachable.add("r4");
        engine.publish("bob", "p1");
        for (int second = 0; second < 3600; second++) {
            if (second % 60 == 0) {
                engine.publish("cat", "c" + second);
            }
            engine.fanout().drain();
            clock.advance(DELAY);
        }
        int repeated = delivered.stream().mapToInt(PostDelivered::present).sum();
        // To the readers behind r4, after 4, 8, 16, 32 and 64 failures: each post of cat hastens the task.
        assertThat(repeated).isEqualTo(5 * 2);
        unreachable.clear();
        clock.advance(Duration.ofMinutes(5));
        engine.fanout().drain();
        assertThat(readersWith("p1")).isEqualTo(READERS);
        assertThat(engine.fanout().backlog().tasks()).isZero();
    }
}

package io.feedkit.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.CallbackException;
import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.event.OperationStarted.Kind;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An operation")
class OperationsTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

    private final InMemoryFeedStore store = InMemoryFeedStore.create(CLOCK);
    private final List<String> heard = new ArrayList<>();

    /** Records operations, and the events within them. */
    private FeedListener recording(String prefix) {
        return new FeedListener() {
            @Override
            public OperationEnd started(OperationStarted event) {
                Thread thread = Thread.currentThread();
                heard.add(prefix + event.kind() + " " + event.size());
                return failure -> {
                    assertThat(Thread.currentThread()).isSameAs(thread);
                    heard.add(prefix + "end of " + event.kind()
                            + failure.map(e -> " by " + e.getClass().getSimpleName())
                                    .orElse(""));
                };
            }

            @Override
            public void published(PostPublished event) {
                heard.add(prefix + "published");
            }

            @Override
            public void read(FeedRead event) {
                heard.add(prefix + "read");
            }

            @Override
            public void taskFinished(TaskFinished event) {
                heard.add(prefix + "finished");
            }
        };
    }

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(store).clock(CLOCK).workers(0);
    }

    @Test
    @DisplayName("encloses its events")
    void enclosesEvents() {
        try (FeedEngine feed = builder().listener(recording("")).build()) {
            feed.follow("ann", "bob");
            feed.publish("bob", "p1");
            feed.fanout().drain();
            feed.read("ann", PageRequest.first(20));
            feed.unread("ann");
            feed.unread(List.of("ann", "cid"));
            feed.countNewer("ann", Cursor.at(Instant.EPOCH));
        }
        assertThat(heard)
                .containsExactly(
                        "PUBLISH 1",
                        "published",
                        "end of PUBLISH",
                        "PROCESS_TASKS 1",
                        "finished",
                        "end of PROCESS_TASKS",
                        "READ 20",
                        "read",
                        "end of READ",
                        "COUNT_UNREAD 1",
                        "end of COUNT_UNREAD",
                        "COUNT_UNREAD 2",
                        "end of COUNT_UNREAD",
                        "COUNT_UNREAD 1",
                        "end of COUNT_UNREAD");
    }

    @Test
    @DisplayName("is also an import, a publish of many, and one in a transaction of the host")
    void kindsOfPublish() {
        List<Post> posts = List.of(Post.of("bob", "p1", 1), Post.of("bob", "p2", 2));
        try (FeedEngine feed = builder().listener(recording("")).build()) {
            feed.importPosts(posts);
            feed.publishAll(posts);
            InMemoryTransaction transaction = store.begin();
            feed.publishAll(posts, transaction);
            transaction.rollback();
        }
        assertThat(heard).filteredOn(each -> each.equals("PUBLISH 2")).hasSize(3);
        assertThat(heard).filteredOn(each -> each.equals("end of PUBLISH")).hasSize(3);
    }

    @Test
    @DisplayName("ends with the failure that its caller gets")
    void failure() {
        try (FeedEngine feed = builder()
                .filter((reader, posts) -> {
                    throw new IllegalStateException("broken by the host");
                })
                .policy(author -> {
                    throw new IllegalStateException("broken by the host");
                })
                .listener(recording(""))
                .build()) {
            feed.follow("ann", "bob");
            assertThatThrownBy(() -> feed.publish("bob", "p1")).isInstanceOf(CallbackException.class);
            try (FeedEngine other = builder().build()) {
                other.publish("bob", "p1");
            }
            assertThatThrownBy(() -> feed.read("ann", PageRequest.first(20))).isInstanceOf(CallbackException.class);
        }
        assertThat(heard)
                .containsExactly(
                        "PUBLISH 1",
                        "end of PUBLISH by CallbackException",
                        "READ 20",
                        "end of READ by CallbackException");
    }

    @Test
    @DisplayName("is reported to several listeners, whose ends are called in the reverse order")
    void severalListeners() {
        try (FeedEngine feed = builder()
                .listener(recording("a: "))
                .listener(new FeedListener() {})
                .listener(recording("b: "))
                .build()) {
            feed.publish("bob", "p1");
        }
        assertThat(heard)
                .containsExactly(
                        "a: PUBLISH 1",
                        "b: PUBLISH 1",
                        "a: published",
                        "b: published",
                        "b: end of PUBLISH",
                        "a: end of PUBLISH");
    }

    @Test
    @DisplayName("does not depend on a listener that throws, returns null, or throws at the end")
    void brokenListeners() {
        List<Optional<Throwable>> ends = new ArrayList<>();
        try (FeedEngine feed = builder()
                .listener(started(null))
                .listener(started(failure -> {
                    ends.add(failure);
                    throw new IllegalStateException("broken by the host");
                }))
                .listener(new FeedListener() {
                    @Override
                    public OperationEnd started(OperationStarted event) {
                        throw new IllegalStateException("broken by the host");
                    }
                })
                .listener(recording(""))
                .build()) {
            assertThat(feed.publish("bob", "p1").post().id()).isEqualTo("p1");
        }
        assertThat(heard).containsExactly("PUBLISH 1", "published", "end of PUBLISH");
        assertThat(ends).containsExactly(Optional.empty());
    }

    private static FeedListener started(OperationEnd end) {
        return new FeedListener() {
            @Override
            public OperationEnd started(OperationStarted event) {
                return end;
            }
        };
    }

    @Test
    @DisplayName("is none if workers find no task, and none is the kind of a null")
    void noTasks() {
        try (FeedEngine feed = builder().listener(recording("")).build()) {
            assertThat(feed.fanout().drain()).isZero();
        }
        assertThat(heard).isEmpty();
        assertThatThrownBy(() -> OperationStarted.of(null, 1)).hasMessage("kind must not be null");
        assertThat(OperationStarted.of(Kind.READ, 20)).hasToString("OperationStarted[kind=READ, size=20]");
    }
}

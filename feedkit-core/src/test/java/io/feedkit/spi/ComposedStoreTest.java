package io.feedkit.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.health.StoreDescription;
import io.feedkit.health.StoreDescription.Data;
import io.feedkit.health.StorePart;
import io.feedkit.memory.InMemoryFeedStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A store made of parts")
class ComposedStoreTest {

    private final List<String> closed = new ArrayList<>();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create();

    private AutoCloseable part(String name) {
        return () -> closed.add(name);
    }

    private ComposedStore store() {
        return ComposedStore.of(parts -> {
            parts.add(part("sql"));
            parts.add(part("redis"));
            return FeedStore.of(memory.outbox(), memory::inbox, memory.graph(), memory.seenMarks());
        });
    }

    @Test
    @DisplayName("is used as a store, and closes its parts once, the last one first")
    void closes() {
        ComposedStore store = store();
        try (FeedEngine engine = FeedEngine.builder(store).workers(0).build()) {
            engine.follow("ann", "bob");
            engine.publish("bob", "p");
            assertThat(engine.read("ann", PageRequest.first(1)).items()).hasSize(1);
        }
        assertThat(closed).isEmpty();
        store.close();
        store.close();
        assertThat(closed).containsExactly("redis", "sql");
    }

    private record Closeable(InMemoryFeedStore store) implements FeedStore, AutoCloseable {
        @Override
        public Outbox outbox() {
            return store.outbox();
        }

        @Override
        public Inbox inbox(InboxLimits limits) {
            return store.inbox(limits);
        }

        @Override
        public FollowGraph graph() {
            return store.graph();
        }

        @Override
        public SeenMarks seenMarks() {
            return store.seenMarks();
        }

        @Override
        public List<StoreDescription> describe() {
            return store.describe();
        }

        @Override
        public void close() {}
    }

    private record Described(StoreDescription description) implements StorePart, AutoCloseable {
        @Override
        public List<StoreDescription> describe() {
            return List.of(description);
        }

        @Override
        public void close() {}
    }

    @Test
    @DisplayName("describes what is where: what several parts can keep is in the last one")
    void describes() {
        StoreDescription sql = new StoreDescription(
                EnumSet.range(Data.POSTS, Data.INBOXES),
                "PostgreSQL",
                "survives a crash",
                List.of("fsync is off: set fsync=on"));
        StoreDescription redis = new StoreDescription(Set.of(Data.INBOXES), "Redis", "may be lost", List.of());
        try (ComposedStore store = ComposedStore.of(parts -> {
            parts.add(new Described(sql));
            parts.add(part("pool"));
            parts.add(new Described(redis));
            return memory;
        })) {
            assertThat(store.describe())
                    .extracting(StoreDescription::toString)
                    .containsExactly(
                            "posts, follows, marks: PostgreSQL; survives a crash;"
                                    + " DANGER: fsync is off: set fsync=on",
                            "inboxes: Redis; may be lost");
        }
        try (ComposedStore store = ComposedStore.of(parts -> memory)) {
            assertThat(store.describe()).as("a store that is not closed").isEqualTo(memory.describe());
        }
        FollowGraph graph = InMemoryFeedStore.create().graph();
        try (ComposedStore store = ComposedStore.of(parts -> {
            FeedStore whole = parts.add(new Closeable(memory));
            return FeedStore.of(whole.outbox(), whole::inbox, graph, whole.seenMarks());
        })) {
            assertThat(store.describe())
                    .as("with a graph of the host's")
                    .singleElement()
                    .satisfies(place -> assertThat(place.data()).doesNotContain(Data.FOLLOWS));
        }
        assertThat(memory.describe())
                .extracting(StoreDescription::toString)
                .containsExactly(
                        "posts, follows, marks, inboxes: the memory of this process;" + " lost when the process ends");
        assertThat(FeedStore.of(memory.outbox(), memory::inbox, memory.graph(), memory.seenMarks())
                        .describe())
                .isEmpty();
    }

    @Test
    @DisplayName("that cannot be made closes the parts that were opened")
    void halfBuilt() {
        IllegalArgumentException failure = new IllegalArgumentException("no such table");
        assertThatThrownBy(() -> ComposedStore.of(parts -> {
                    parts.add(part("sql"));
                    parts.add(() -> {
                        throw new IOException("gone");
                    });
                    throw failure;
                }))
                .isSameAs(failure)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(closed).containsExactly("sql");
    }

    @Test
    @DisplayName("that cannot be made because a class is missing closes the parts that were opened, too")
    void missingClass() {
        NoClassDefFoundError failure = new NoClassDefFoundError("io/lettuce/core/RedisClient");
        assertThatThrownBy(() -> ComposedStore.of(parts -> {
                    parts.add(part("sql"));
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(closed).containsExactly("sql");
    }

    @Test
    @DisplayName("closes all parts although one fails")
    void failingPart() {
        ComposedStore store = ComposedStore.of(parts -> {
            parts.add(part("sql"));
            parts.add(() -> {
                throw new IOException("gone");
            });
            return memory;
        });
        assertThatThrownBy(store::close)
                .isInstanceOf(IllegalStateException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(closed).containsExactly("sql");
        store.close();
    }
}

package io.feedkit.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.memory.InMemoryFeedStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

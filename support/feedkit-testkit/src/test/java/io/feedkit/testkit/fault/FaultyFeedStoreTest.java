package io.feedkit.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FaultyFeedStoreTest {

    private final InMemoryFeedStore shared = InMemoryFeedStore.create();
    private final FaultyFeedStore store = FaultyFeedStore.around(shared);
    private final List<Publication> four =
            List.of(publication("1"), publication("2"), publication("3"), publication("4"));

    @Test
    @DisplayName("A call that fails before does nothing")
    void failBefore() {
        store.failAtEffect(1, Fault.FAIL_BEFORE);
        assertThatThrownBy(() -> store.outbox().append(four)).isInstanceOf(StoreUnavailableException.class);
        assertThat(recorded()).isZero();
    }

    @Test
    @DisplayName("A call that fails half-way does the first half of its batch")
    void failPartly() {
        store.failAtEffect(1, Fault.FAIL_PARTLY);
        assertThatThrownBy(() -> store.outbox().append(four)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(recorded()).isEqualTo(2);
    }

    @Test
    @DisplayName("A call that fails after does all")
    void failAfter() {
        store.failAtEffect(1, Fault.FAIL_AFTER);
        assertThatThrownBy(() -> store.outbox().append(four)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(recorded()).isEqualTo(4);
    }

    @Test
    @DisplayName("After a crash every call through the same connection fails, and other connections go on")
    void crash() {
        FaultyFeedStore other = FaultyFeedStore.around(shared);
        store.failAtEffect(2, Fault.CRASH_AFTER);
        store.outbox().append(List.of(publication("1")));
        assertThatThrownBy(() -> store.outbox().append(List.of(publication("2"))))
                .isInstanceOf(ProcessCrash.class);
        assertThatThrownBy(() -> store.outbox().settledMark()).isInstanceOf(ProcessCrash.class);
        store.heal();
        assertThat(store.isDead()).isTrue();
        assertThat(other.outbox().append(List.of(publication("3")))).hasSize(1);
        assertThat(recorded()).isEqualTo(3);
    }

    @Test
    @DisplayName("Only the effect that was named fails")
    void onlyOneFails() {
        store.failAtEffect(2, Fault.FAIL_BEFORE);
        Outbox outbox = store.outbox();
        outbox.append(List.of(publication("1")));
        assertThatThrownBy(() -> outbox.append(List.of(publication("2"))))
                .isInstanceOf(StoreUnavailableException.class);
        outbox.append(List.of(publication("2")));
        assertThat(store.effects()).isEqualTo(3);
        assertThat(store.faults()).isEqualTo(1);
    }

    @Test
    @DisplayName("A hook runs right before the call")
    void hooks() {
        List<String> seen = new ArrayList<>();
        store.onCall(StoreCall::isEffect, call -> seen.add(call.operation() + " after " + recorded()));
        store.outbox().append(four);
        assertThat(seen).containsExactly("outbox.append after 0");
    }

    @Test
    @DisplayName("A hook on answers runs right after the call, unless that fails")
    void hooksOnAnswers() {
        List<String> seen = new ArrayList<>();
        store.onAnswer(StoreCall::isEffect, call -> seen.add(call.operation() + " after " + recorded()));
        store.failAtEffect(2, Fault.FAIL_AFTER);
        Outbox outbox = store.outbox();
        outbox.append(List.of(publication("1")));
        assertThatThrownBy(() -> outbox.append(List.of(publication("2")))).isInstanceOf(OutcomeUnknownException.class);
        assertThat(seen).containsExactly("outbox.append after 1");
    }

    private int recorded() {
        return shared.outbox()
                .page(new PageQuery(Set.of("a"), PositionRange.ALL, Order.NEWEST_FIRST, 100))
                .size();
    }

    private static Publication publication(String id) {
        return new Publication(Post.of("a", id, 1), FanoutMode.PUSH);
    }
}

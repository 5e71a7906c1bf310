package io.feedkit.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.feedkit.Post;
import io.feedkit.PublishTransaction;
import io.feedkit.Published.Status;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.OutboxWriter;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.TransactionalOutbox;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A transaction on the in-memory store")
class InMemoryTransactionTest {

    private static final Post FIRST = Post.of("ann", "1", 10);
    private static final Post SECOND = Post.of("bob", "2", 20);

    private final InMemoryFeedStore store = InMemoryFeedStore.create(new SettableClock(5_000));
    private final TransactionalOutbox outbox = store.outbox();

    @Test
    @DisplayName("shows nothing before the commit, and everything with its tasks after it")
    void commits() {
        try (InMemoryTransaction transaction = store.begin()) {
            OutboxWriter joined = outbox.joining(transaction);
            assertThat(append(joined, FIRST)).isEqualTo(Status.NEW);
            assertThat(append(joined, SECOND)).isEqualTo(Status.NEW);
            assertThat(stored()).isEmpty();
            assertThat(outbox.fanout().queueStatus().unfinished()).isZero();

            transaction.commit();
        }

        assertThat(stored()).containsExactly(SECOND, FIRST);
        assertThat(outbox.fanout().queueStatus().unfinished()).isEqualTo(2);
    }

    @Test
    @DisplayName("leaves no trace when it is rolled back or closed")
    void rollsBack() {
        try (InMemoryTransaction transaction = store.begin()) {
            append(outbox.joining(transaction), FIRST);
            transaction.rollback();
        }
        try (InMemoryTransaction transaction = store.begin()) {
            append(outbox.joining(transaction), SECOND);
            outbox.joining(transaction).delete(List.of(FIRST.key()));
        }

        assertThat(stored()).isEmpty();
        assertThat(outbox.fanout().queueStatus().unfinished()).isZero();
        assertThat(append(outbox, FIRST)).isEqualTo(Status.NEW);
    }

    @Test
    @DisplayName("answers from what is committed and from what it did itself")
    void answers() {
        append(outbox, FIRST);
        try (InMemoryTransaction transaction = store.begin()) {
            OutboxWriter joined = outbox.joining(transaction);
            assertThat(append(joined, Post.of("ann", "1", 99))).isEqualTo(Status.SAME);
            assertThat(append(joined, SECOND)).isEqualTo(Status.NEW);
            assertThat(append(joined, SECOND)).isEqualTo(Status.SAME);
            assertThat(joined.delete(List.of(FIRST.key(), SECOND.key(), FIRST.key())))
                    .containsExactly(true, true, false);
            assertThat(append(joined, FIRST)).isEqualTo(Status.DELETED);
            assertThat(stored()).containsExactly(FIRST);
            transaction.commit();
        }

        assertThat(stored()).isEmpty();
        assertThat(append(outbox, SECOND)).isEqualTo(Status.DELETED);
        assertThat(outbox.fanout().claim(10, 1_000).stream()
                        .map(Claim::task)
                        .filter(task -> task.kind() == Kind.RETRACT))
                .hasSize(2);
    }

    @Test
    @DisplayName("leaves a post alone that somebody else published first")
    void losesTheRace() {
        try (InMemoryTransaction transaction = store.begin()) {
            assertThat(append(outbox.joining(transaction), Post.of("ann", "1", 99)))
                    .isEqualTo(Status.NEW);
            append(outbox, FIRST);
            transaction.commit();
        }

        assertThat(stored()).containsExactly(FIRST);
        assertThat(outbox.fanout().queueStatus().unfinished()).isEqualTo(1);
    }

    @Test
    @DisplayName("takes effect for all authors at once")
    void atomic() throws Exception {
        Concurrently.run(3, thread -> {
            for (int i = 0; i < 3_000; i++) {
                if (thread == 0) {
                    try (InMemoryTransaction transaction = store.begin()) {
                        OutboxWriter joined = outbox.joining(transaction);
                        append(joined, Post.of("bob", "p" + i, i));
                        append(joined, Post.of("ann", "p" + i, i));
                        transaction.commit();
                    }
                } else {
                    long seen = newest(thread == 1 ? "ann" : "bob");
                    assertThat(newest(thread == 1 ? "bob" : "ann")).isGreaterThanOrEqualTo(seen);
                }
            }
            return true;
        });
    }

    @Test
    @DisplayName("cannot be used once it is over")
    void over() {
        InMemoryTransaction transaction = store.begin();
        OutboxWriter joined = outbox.joining(transaction);
        transaction.commit();
        transaction.close();

        assertThatIllegalStateException().isThrownBy(transaction::commit);
        assertThatIllegalStateException().isThrownBy(transaction::rollback);
        assertThatIllegalStateException().isThrownBy(() -> append(joined, FIRST));
        assertThatIllegalStateException().isThrownBy(() -> joined.delete(List.of(FIRST.key())));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> outbox.joining(transaction))
                .withMessageContaining("COMMITTED");
    }

    @Test
    @DisplayName("refuses an author too many, which changes nothing about the others")
    void tooManyAuthors() {
        try (InMemoryTransaction transaction = store.begin()) {
            OutboxWriter joined = outbox.joining(transaction);
            for (int i = 0; i < InMemoryTransaction.MAX_AUTHORS; i++) {
                append(joined, Post.of("author" + i, "1", i));
            }
            for (int i = 0; i < 2; i++) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> append(joined, FIRST))
                        .withMessage("transaction must not change posts of more than 1000 authors");
                assertThatIllegalStateException().isThrownBy(() -> joined.delete(List.of(FIRST.key())));
            }
            assertThat(append(joined, Post.of("author0", "2", 2))).isEqualTo(Status.NEW);
            transaction.commit();
        }

        assertThat(stored()).isEmpty();
        assertThat(outbox.fanout().queueStatus().unfinished()).isEqualTo(InMemoryTransaction.MAX_AUTHORS + 1);
        assertThat(append(outbox, FIRST)).isEqualTo(Status.NEW);
    }

    @Test
    @DisplayName("of another store or backend is refused")
    void foreign() {
        InMemoryTransaction other = InMemoryFeedStore.create().begin();

        assertThatIllegalArgumentException().isThrownBy(() -> outbox.joining(other));
        assertThatIllegalArgumentException().isThrownBy(() -> outbox.joining(new PublishTransaction() {}));
    }

    private static Status append(OutboxWriter outbox, Post post) {
        return outbox.append(List.of(new Publication(post, FanoutMode.PUSH)))
                .get(0)
                .status();
    }

    private List<Post> stored() {
        return outbox.page(new PageQuery(Set.of("ann", "bob"), PositionRange.ALL, Order.NEWEST_FIRST, 100));
    }

    private long newest(String author) {
        List<Post> newest = outbox.newest(List.of(author), PositionRange.ALL, 1).get(0);
        return newest.isEmpty() ? -1 : newest.get(0).publishedAt().toEpochMilli();
    }
}

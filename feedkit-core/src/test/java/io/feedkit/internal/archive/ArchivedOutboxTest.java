package io.feedkit.internal.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published.Status;
import io.feedkit.RegisterSnapshot;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An outbox with an archive behind it")
class ArchivedOutboxTest {

    private final Tiers tiers = new Tiers().filled();

    /** A view of an engine that cannot reach the archive. */
    private final Outbox hot = tiers.reader((operation, isBefore) -> {
        throw new StoreUnavailableException(operation, null);
    });

    @BeforeEach
    void move() {
        tiers.pass(tiers.mover(Tiers.Hook.NONE));
    }

    private static PageQuery page(Set<String> authors, PositionRange range, Order order, int limit) {
        return new PageQuery(authors, range, order, limit);
    }

    private static PositionRange from(Post post) {
        return PositionRange.from(Position.of(post));
    }

    @Test
    @DisplayName("does not ask the archive for what the outbox answers down to the boundary")
    void hotReads() {
        assertThat(hot.page(page(Tiers.AUTHORS, PositionRange.ALL, Order.NEWEST_FIRST, 15)))
                .hasSize(15);
        assertThat(hot.page(page(Tiers.AUTHORS, from(Tiers.post("amy", 15)), Order.OLDEST_FIRST, 100)))
                .hasSize(15);
        assertThat(hot.newest(List.of("amy", "bob"), PositionRange.ALL, 5))
                .allSatisfy(posts -> assertThat(posts).hasSize(5));
        assertThat(hot.newest(List.of("amy"), from(Tiers.post("amy", 15)), 100).get(0))
                .hasSize(5);
        assertThat(hot.count(List.of(
                        new CountQuery(Tiers.AUTHORS, PositionRange.ALL, 15),
                        new CountQuery(Tiers.AUTHORS, from(Tiers.post("amy", 15)), 100))))
                .extracting(Outbox.Counted::above)
                .containsExactly(15, 15);
        assertThat(hot.existing(List.of(Tiers.post("amy", 19).key()))).hasSize(1);
    }

    @Test
    @DisplayName("writes recent posts without the archive, and deletes them, repeatedly too")
    void hotWrites() {
        Post fresh = Post.of("amy", "fresh", tiers.clock.millis());
        for (Status status : List.of(Status.NEW, Status.SAME)) {
            assertThat(hot.append(List.of(new Publication(fresh, FanoutMode.PUSH))))
                    .containsExactly(new Appended(status, fresh));
        }
        PostKey key = Tiers.post("amy", 19).key();
        assertThat(hot.delete(List.of(key))).containsExactly(true);
        assertThat(hot.delete(List.of(key))).containsExactly(false);
    }

    @Test
    @DisplayName("fails, and writes nothing, if the archive is needed and cannot be reached")
    void coldFails() {
        Post old = Tiers.post("bob", 9);
        List<Runnable> calls = List.of(
                () -> hot.page(page(Tiers.AUTHORS, PositionRange.ALL, Order.NEWEST_FIRST, 16)),
                () -> hot.page(page(Tiers.AUTHORS, PositionRange.ALL, Order.OLDEST_FIRST, 1)),
                () -> hot.newest(List.of("amy"), PositionRange.ALL, 6),
                () -> hot.existing(List.of(old.key())),
                () -> hot.count(List.of(new CountQuery(Tiers.AUTHORS, PositionRange.ALL, 16))),
                () -> hot.append(List.of(new Publication(old, FanoutMode.PUSH))),
                () -> hot.appendImported(List.of(old), FanoutMode.PUSH),
                () -> hot.delete(List.of(old.key())));
        for (Runnable call : calls) {
            assertThatThrownBy(call::run).isInstanceOf(StoreUnavailableException.class);
        }
        tiers.assertComplete();
        assertThat(tiers.warm.fanout().queueStatus().unfinished()).isZero();
    }

    @Test
    @DisplayName("answers batches of old and new posts in their order, with one answer for a repeated key")
    void batches() {
        Post archived = Tiers.post("bob", 9);
        Post recent = Tiers.post("bob", 18);
        Post older = Post.of("bob", "older", 1000);
        List<Appended> expected = List.of(
                new Appended(Status.NEW, older),
                new Appended(Status.SAME, archived),
                new Appended(Status.SAME, recent),
                new Appended(Status.SAME, older),
                new Appended(Status.SAME, archived));
        List<Post> posts = expected.stream().map(Appended::post).toList();
        assertThat(tiers.outbox.append(posts.stream()
                        .map(post -> new Publication(post, FanoutMode.PUSH))
                        .toList()))
                .isEqualTo(expected);
        Post other = Post.of("bob", "other", 1000);
        assertThat(tiers.outbox.appendImported(List.of(archived, other, archived), FanoutMode.PUSH))
                .containsExactly(
                        new Appended(Status.SAME, archived),
                        new Appended(Status.NEW, other),
                        new Appended(Status.SAME, archived));
        tiers.delete(archived);
        assertThat(tiers.outbox.appendImported(List.of(archived), FanoutMode.PUSH))
                .containsExactly(new Appended(Status.DELETED, archived));
    }

    @Test
    @DisplayName("deletes an archived post at once for readers, and from the archive at the end of the retraction")
    void deletes() {
        Post archived = Tiers.post("bob", 9);
        assertThat(tiers.outbox.delete(
                        List.of(archived.key(), Tiers.post("bob", 18).key())))
                .containsExactly(true, true);
        tiers.expected.remove(archived);
        tiers.expected.remove(Tiers.post("bob", 18));
        tiers.assertComplete();
        assertThat(tiers.archive.size()).isEqualTo(45);
        tiers.settle();
        tiers.assertComplete();
        assertThat(tiers.archive.size()).isEqualTo(44);
        assertThat(tiers.outbox.delete(List.of(archived.key()))).containsExactly(false);
    }

    @Test
    @DisplayName("keeps a retraction until the archive can be reached")
    void retraction() {
        Post archived = Tiers.post("bob", 9);
        tiers.delete(archived);
        assertThatThrownBy(() -> hot.pulled().retracted(List.of(archived.key())))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(RegisterSnapshot.of(tiers.warm.pulled()).retracting()).containsExactly(archived.key());
        tiers.outbox.pulled().retracted(List.of(archived.key()));
        assertThat(RegisterSnapshot.of(tiers.warm.pulled()).retracting()).isEmpty();
        assertThat(tiers.archive.existing(List.of(archived.key()))).isEmpty();
    }

    @Test
    @DisplayName("shows a post that was published again at another time there, and not at its old place")
    void publishedAgain() {
        Post archived = Tiers.post("bob", 9);
        Post again = Post.of("bob", "p9", tiers.clock.millis());
        tiers.publish(List.of(again));
        tiers.expected.remove(archived);
        assertThat(Tiers.walk(tiers.outbox, Order.NEWEST_FIRST, 4)).isEqualTo(List.copyOf(tiers.expected));
        assertThat(Tiers.walk(tiers.outbox, Order.OLDEST_FIRST, 4)).hasSize(60);
        assertThat(tiers.outbox.existing(List.of(again.key()))).containsEntry(again.key(), again);
        assertThat(tiers.outbox.newest(List.of("bob"), PositionRange.ALL, 100).get(0))
                .hasSize(20)
                .contains(again)
                .doesNotContain(archived);
        tiers.settle();
        tiers.clock.advance(Tiers.AGE.multipliedBy(2));
        tiers.pass(tiers.mover(Tiers.Hook.NONE));
        assertThat(tiers.warmKeys()).isEmpty();
        tiers.assertComplete();
    }

    @Test
    @DisplayName("reads on in the archive past copies that do not count")
    void manyCopies() {
        tiers.archive.store(
                List.copyOf(tiers.warm.page(page(Tiers.AUTHORS, PositionRange.ALL, Order.NEWEST_FIRST, 100))));
        for (int n = 14; n >= 2; n--) {
            tiers.delete(Tiers.post("amy", n));
            tiers.delete(Tiers.post("bob", n));
        }
        tiers.assertComplete();
        assertThat(tiers.outbox.newest(List.of("amy", "cid"), PositionRange.ALL, 6))
                .extracting(posts -> posts.get(5))
                .containsExactly(Tiers.post("amy", 1), Tiers.post("cid", 14));
    }
}

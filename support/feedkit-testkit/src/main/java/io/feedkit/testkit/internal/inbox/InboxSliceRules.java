package io.feedkit.testkit.internal.inbox;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.oldestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static io.feedkit.testkit.internal.Samples.ties;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.internal.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Reading parts of inboxes: order, ranges, limits. */
public abstract class InboxSliceRules extends InboxRules {

    protected InboxSliceRules(InboxKit kit) {
        super(kit);
    }

    private List<Post> filled(List<Post> posts) {
        inbox.live(READER);
        inbox.deliver(READER, shuffled(posts, 3));
        return posts;
    }

    private List<Post> read(PositionRange range, Order order, int limit) {
        return inbox.slice(READER, range, order, limit).posts();
    }

    @Test
    @DisplayName("the order is time, then id by bytes, then author by bytes")
    void totalOrder() {
        filled(ties());
        assertThat(read(PositionRange.ALL, Order.NEWEST_FIRST, 100)).isEqualTo(newestFirst(ties()));
    }

    @Test
    @DisplayName("oldest first is the mirror image of newest first")
    void mirror() {
        filled(ties());
        assertThat(read(PositionRange.ALL, Order.OLDEST_FIRST, 100)).isEqualTo(oldestFirst(ties()));
    }

    @Test
    @DisplayName("a range includes its lower bound and excludes its upper bound, between ties too")
    void halfOpenRanges() {
        List<Post> posts = filled(ties());
        for (int from = 0; from < posts.size(); from++) {
            for (int below = from; below < posts.size(); below++) {
                PositionRange range = new PositionRange(Position.of(posts.get(from)), Position.of(posts.get(below)));
                List<Post> inside = posts.subList(from, below);
                assertThat(read(range, Order.OLDEST_FIRST, 100)).isEqualTo(inside);
                assertThat(read(range, Order.NEWEST_FIRST, 100)).isEqualTo(newestFirst(inside));
            }
        }
    }

    @Test
    @DisplayName("next() turns an inclusive bound into an exclusive one and back")
    void nextBounds() {
        List<Post> posts = filled(ties());
        for (int i = 0; i < posts.size(); i++) {
            Position next = Position.of(posts.get(i)).next();
            assertThat(read(PositionRange.below(next), Order.OLDEST_FIRST, 100)).isEqualTo(posts.subList(0, i + 1));
            assertThat(read(PositionRange.from(next), Order.OLDEST_FIRST, 100))
                    .isEqualTo(posts.subList(i + 1, posts.size()));
        }
    }

    @Test
    @DisplayName("bounds need not be posts")
    void boundsAreNotPosts() {
        filled(posts("bob", 4));
        PositionRange range =
                new PositionRange(new Position(Samples.EPOCH + 2, "", ""), new Position(Samples.EPOCH + 4, "", ""));
        assertThat(read(range, Order.NEWEST_FIRST, 100)).containsExactly(post("bob", 3), post("bob", 2));
    }

    @Test
    @DisplayName("an empty range gives no posts, but the state of the inbox")
    void emptyRange() {
        long generation = inbox.live(READER);
        inbox.deliver(READER, posts("bob", 4));
        Position at = Position.of(post("bob", 2));
        for (PositionRange range : List.of(new PositionRange(at, at), new PositionRange(Position.HIGHEST, at))) {
            Slice slice = inbox.slice(READER, range, Order.NEWEST_FIRST, 10);
            assertThat(slice.posts()).isEmpty();
            assertThat(slice.state()).isEqualTo(State.LIVE);
            assertThat(slice.floor()).isEqualTo(Position.LOWEST);
            assertThat(slice.generation()).isEqualTo(generation);
            assertThat(slice.mark()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("a limit cuts off the far end of the range, and fewer posts mean that there are no more")
    void limits() {
        List<Post> posts = filled(posts("bob", 30));
        for (int limit : List.of(1, 2, 29, 30, 31, 500)) {
            int expected = Math.min(limit, 30);
            assertThat(read(PositionRange.ALL, Order.NEWEST_FIRST, limit))
                    .isEqualTo(newestFirst(posts).subList(0, expected));
            assertThat(read(PositionRange.ALL, Order.OLDEST_FIRST, limit)).isEqualTo(posts.subList(0, expected));
        }
    }

    @Test
    @DisplayName("a walk in pages meets every post once, downwards and upwards")
    void walks() {
        List<Post> posts = filled(posts("bob", 100));
        List<Post> down = new ArrayList<>();
        for (List<Post> page = read(PositionRange.ALL, Order.NEWEST_FIRST, 7); !page.isEmpty(); ) {
            down.addAll(page);
            assertThat(down).hasSizeLessThanOrEqualTo(posts.size());
            Position last = Position.of(page.get(page.size() - 1));
            page = read(PositionRange.below(last), Order.NEWEST_FIRST, 7);
        }
        assertThat(down).isEqualTo(newestFirst(posts));
        List<Post> up = new ArrayList<>();
        for (List<Post> page = read(PositionRange.ALL, Order.OLDEST_FIRST, 7); !page.isEmpty(); ) {
            up.addAll(page);
            assertThat(up).hasSizeLessThanOrEqualTo(posts.size());
            Position last = Position.of(page.get(page.size() - 1));
            page = read(PositionRange.from(last.next()), Order.OLDEST_FIRST, 7);
        }
        assertThat(up).isEqualTo(posts);
    }

    @Test
    @DisplayName("slice i answers query i, also if two queries name one reader, and for readers without an inbox")
    void answersInOrder() {
        filled(posts("bob", 3));
        inbox.live("empty");
        inbox.build("building");
        List<Slice> slices = inbox.inbox()
                .slice(List.of(
                        new SliceQuery(READER, PositionRange.ALL, Order.NEWEST_FIRST, 1, false),
                        new SliceQuery("absent", PositionRange.ALL, Order.NEWEST_FIRST, 1, false),
                        new SliceQuery("empty", PositionRange.ALL, Order.NEWEST_FIRST, 1, false),
                        new SliceQuery("building", PositionRange.ALL, Order.NEWEST_FIRST, 1, false),
                        new SliceQuery(READER, PositionRange.ALL, Order.OLDEST_FIRST, 2, true)));
        assertThat(slices)
                .extracting(Slice::state)
                .containsExactly(State.LIVE, State.ABSENT, State.LIVE, State.BUILDING, State.LIVE);
        assertThat(slices)
                .extracting(Slice::posts)
                .containsExactly(
                        List.of(post("bob", 3)),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(post("bob", 1), post("bob", 2)));
    }

    @Test
    @DisplayName("an empty batch does nothing")
    void emptyBatch() {
        assertThat(inbox.inbox().slice(List.of())).isEmpty();
    }

    @Test
    @DisplayName("a slice that is sent is answered like one that is asked, and renews the live window")
    void sent() {
        InboxDriver view = shortLived();
        view.live(READER);
        view.deliver(READER, posts("bob", 3));
        SliceQuery query = new SliceQuery(READER, PositionRange.ALL, Order.NEWEST_FIRST, 2, true);
        Duration part = kit.shortTime().dividedBy(4);
        for (int i = 0; i < 6; i++) {
            kit.pass(part);
            Supplier<List<Slice>> answer = view.inbox().sendSlice(List.of(query));
            view.deliver("unrelated", post("bob", 9));
            assertThat(answer.get().get(0).posts()).containsExactly(post("bob", 3), post("bob", 2));
        }
        assertThat(view.inbox().sendSlice(List.of(query, query)).get())
                .isEqualTo(view.inbox().slice(List.of(query, query)));
        assertThat(view.inbox().sendSlice(List.of()).get()).isEmpty();
    }

    @Test
    @DisplayName("a slice is a snapshot, which later changes do not affect")
    void snapshot() {
        filled(posts("bob", 2));
        Slice before = inbox.slice(READER);
        inbox.deliver(READER, post("bob", 3));
        inbox.retract(READER, post("bob", 1));
        inbox.beginFollow(READER, "amy");
        assertThat(before.posts()).containsExactly(post("bob", 2), post("bob", 1));
        assertThat(before.pending()).isEmpty();
    }
}

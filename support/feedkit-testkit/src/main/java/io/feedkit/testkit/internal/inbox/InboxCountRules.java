package io.feedkit.testkit.internal.inbox;

import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static io.feedkit.testkit.internal.Samples.ties;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Inbox.Count;
import io.feedkit.spi.Inbox.CountQuery;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Counting without reading: the count is what a slice of the same range would hold. */
public abstract class InboxCountRules extends InboxRules {

    private static final int EVERYTHING = 10_000;

    protected InboxCountRules(InboxKit kit) {
        super(kit);
    }

    private static int above(InboxDriver view, Position above, int limit) {
        return view.count(READER, above, limit).above();
    }

    /** Compares counts above each post, and between, with slices. */
    private static void assertLikeSlices(InboxDriver view, List<Post> posts) {
        List<Position> places = new ArrayList<>(List.of(Position.LOWEST, Position.HIGHEST));
        for (Post post : posts) {
            Position place = Position.of(post);
            places.add(place);
            places.add(place.next());
            places.add(new Position(place.millis(), "", ""));
        }
        for (Position place : places) {
            Slice slice = view.slice(READER, PositionRange.from(place.next()), Order.NEWEST_FIRST, EVERYTHING);
            assertThat(above(view, place, EVERYTHING))
                    .as("entries above %s", place)
                    .isEqualTo(slice.posts().size());
        }
    }

    @Test
    @DisplayName("entries above a position count, one at it does not, between ties too")
    void positions() {
        inbox.live(READER);
        inbox.deliver(READER, shuffled(ties(), 3));
        for (int i = 0; i < ties().size(); i++) {
            assertThat(above(inbox, Position.of(ties().get(i)), EVERYTHING)).isEqualTo(ties().size() - 1 - i);
        }
        assertLikeSlices(inbox, ties());
    }

    @Test
    @DisplayName("a limit bounds the count")
    void limits() {
        inbox.live(READER);
        inbox.deliver(READER, posts("bob", 30));
        for (int limit : List.of(1, 2, 29, 30, 31)) {
            assertThat(above(inbox, Position.LOWEST, limit)).isEqualTo(Math.min(limit, 30));
        }
        assertThat(above(inbox, Position.of(post("bob", 28)), 3)).isEqualTo(2);
    }

    @Test
    @DisplayName("only what is served counts, however much is stored, and whatever was trimmed")
    void onlyServed() {
        InboxDriver view = withCap(16);
        view.live(READER);
        List<Post> posts = posts("bob", 40);
        for (Post post : posts) {
            view.deliver(READER, post);
            assertThat(above(view, Position.LOWEST, EVERYTHING))
                    .isEqualTo(view.posts(READER).size());
        }
        assertLikeSlices(view, posts);
    }

    @Test
    @DisplayName("a count says of the inbox what a slice says, without posts")
    void saysWhatSlicesSay() {
        InboxDriver view = withCap(16);
        assertSaysWhatSlicesSay(view);
        long generation = view.build(READER);
        view.deliver(READER, posts("bob", 3));
        assertSaysWhatSlicesSay(view);
        assertThat(view.count(READER, Position.LOWEST, 10).above())
                .as("while building")
                .isZero();
        view.inbox().complete(READER, generation, 7, 99);
        assertSaysWhatSlicesSay(view);
        view.deliver(READER, posts("bob", 18));
        assertSaysWhatSlicesSay(view);
        long token = view.beginFollow(READER, "amy");
        assertSaysWhatSlicesSay(view);
        view.endFollow(READER, "amy", token);
        view.raise(READER, generation, Position.of(post("bob", 9)));
        assertSaysWhatSlicesSay(view);
        view.inbox().drop(List.of(READER));
        assertSaysWhatSlicesSay(view);
    }

    private static void assertSaysWhatSlicesSay(InboxDriver view) {
        Slice empty = view.slice(
                READER, new PositionRange(Position.HIGHEST, Position.HIGHEST), Order.NEWEST_FIRST, EVERYTHING);
        assertThat(view.count(READER, Position.LOWEST, 10).inbox()).isEqualTo(empty);
    }

    @Test
    @DisplayName("posts that are looked for are held if they are served, above the position or below")
    void held() {
        InboxDriver view = withCap(16);
        view.live(READER);
        view.deliver(READER, posts("bob", 18));
        Position middle = Position.of(post("bob", 10));
        assertThat(held(view, middle, List.of())).isZero();
        assertThat(held(view, middle, posts("bob", 20))).as("3 to 18").isEqualTo(16);
        assertThat(held(view, middle, List.of(post("amy", 5), post("bob", 1)))).isZero();
        assertThat(held(view, middle, List.of(post("bob", 18), post("bob", 3), post("bob", 2))))
                .isEqualTo(2);
        view.retract(READER, post("bob", 18));
        view.retract(READER, post("bob", 17));
        assertThat(held(view, middle, List.of(post("bob", 18), post("bob", 2)))).isEqualTo(1);
        assertThat(held(view, Position.LOWEST, List.of(Post.of("bob", "p0005", 1))))
                .as("another time")
                .isZero();
    }

    @Test
    @DisplayName("ties are looked for by all of their position")
    void heldTies() {
        inbox.live(READER);
        for (int i = 0; i < ties().size(); i += 2) {
            inbox.deliver(READER, ties().get(i));
        }
        for (int i = 0; i < ties().size(); i++) {
            assertThat(held(inbox, Position.HIGHEST, List.of(ties().get(i)))).isEqualTo(1 - i % 2);
        }
    }

    private static int held(InboxDriver view, Position above, List<Post> among) {
        return only(view, new CountQuery(READER, above, EVERYTHING, among)).held();
    }

    private static Count only(InboxDriver view, CountQuery query) {
        return view.inbox().count(List.of(query)).get(0);
    }

    @Test
    @DisplayName("many queries are answered in their order, of one reader or of several")
    void batches() {
        for (int i = 1; i <= 5; i++) {
            inbox.live("r" + i);
            inbox.deliver("r" + i, posts("bob", 3 * i));
        }
        List<CountQuery> queries = new ArrayList<>();
        for (int i : List.of(4, 2, 9, 5, 2, 1)) {
            queries.add(new CountQuery(
                    "r" + i, Position.of(post("bob", i)), EVERYTHING, i == 5 ? posts("bob", 2) : List.of()));
        }
        List<Count> counts = inbox.inbox().count(queries);
        assertThat(counts).extracting(Count::above).containsExactly(8, 4, 0, 10, 4, 2);
        assertThat(counts).extracting(Count::held).containsExactly(0, 0, 0, 2, 0, 0);
        assertThat(counts.get(2).inbox().state()).isEqualTo(State.ABSENT);
        assertThat(inbox.inbox().count(List.of())).isEmpty();
    }

    @Test
    @DisplayName("counting opens no inbox and leaves nothing of an unknown reader")
    void opensNothing() {
        assertThat(above(inbox, Position.LOWEST, 5)).isZero();
        assertThat(inbox.slice(READER).state()).isEqualTo(State.ABSENT);
        assertThat(inbox.slice(READER).epoch()).isZero();
    }

    @Test
    @DisplayName("counting does not renew the live window")
    void renewsNothing() {
        InboxDriver view = shortLived();
        view.live(READER);
        view.deliver(READER, posts("bob", 3));
        Duration part = kit.shortTime().dividedBy(4);
        for (int i = 0; i < 3; i++) {
            kit.pass(part);
            above(view, Position.LOWEST, 5);
        }
        kit.pass(part.multipliedBy(2));
        Count over = view.count(READER, Position.LOWEST, 5);
        assertThat(over.inbox().state()).isEqualTo(State.ABSENT);
        assertThat(over.above()).isZero();
    }
}

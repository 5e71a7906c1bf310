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
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Counting without reading: the count is the number of posts that a slice of the same range would hold. */
public abstract class InboxCountRules extends InboxRules {

    private static final int EVERYTHING = 10_000;

    /** Bursts, and gaps of a millisecond, a second, and eleven days. */
    private static final List<Long> GAPS = List.of(0L, 0L, 0L, 1L, 1_000L, 1_000_000_000L);

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
    @DisplayName("entries above a position count, an entry at it does not, between ties too")
    void positions() {
        inbox.live(READER);
        inbox.deliver(READER, shuffled(ties(), 3));
        for (int i = 0; i < ties().size(); i++) {
            assertThat(above(inbox, Position.of(ties().get(i)), EVERYTHING)).isEqualTo(ties().size() - 1 - i);
        }
        assertLikeSlices(inbox, ties());
    }

    @Test
    @DisplayName("counts and slices are exact, however unevenly the times of entries are spread")
    void unevenTimes() {
        List<Post> posts = new ArrayList<>();
        Random random = new Random(7);
        long millis = 1;
        for (int i = 0; i < 60; i++) {
            millis += GAPS.get(random.nextInt(GAPS.size()));
            posts.add(Post.of("bob", "p" + i, millis));
        }
        inbox.live(READER);
        inbox.deliver(READER, shuffled(posts, 5));
        posts.sort(Position::compare);
        for (int i = 0; i < posts.size(); i++) {
            Position place = Position.of(posts.get(i));
            assertThat(above(inbox, place, EVERYTHING)).as("above %s", place).isEqualTo(posts.size() - 1 - i);
            Position gap = new Position(place.millis() + 1, "", "");
            List<Post> below =
                    posts.stream().filter(post -> gap.compareOf(post) < 0).toList();
            assertThat(inbox.slice(READER, PositionRange.below(gap), Order.OLDEST_FIRST, EVERYTHING)
                            .posts())
                    .as("below %s", gap)
                    .isEqualTo(below);
        }
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
    @DisplayName("only served entries count, however many are stored or were trimmed")
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
    @DisplayName("a count describes the inbox as a slice does, without posts")
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
    @DisplayName("entries of excluded authors do not count within the given range of served entries")
    void apart() {
        InboxDriver view = withCap(16);
        view.live(READER);
        for (int i = 1; i <= 9; i++) {
            view.deliver(READER, List.of(post("amy", i), post("bob", i)));
        }
        Position middle = Position.of(post("bob", 5));
        assertThat(above(view, middle, Map.of())).isEqualTo(8);
        assertThat(above(view, middle, Map.of("bob", PositionRange.ALL))).isEqualTo(4);
        assertThat(above(view, middle, Map.of("bob", PositionRange.ALL, "amy", PositionRange.ALL)))
                .isZero();
        assertThat(above(view, middle, Map.of("cid", PositionRange.ALL, "amybob", PositionRange.ALL)))
                .isEqualTo(8);
        PositionRange part = new PositionRange(Position.of(post("bob", 7)), Position.of(post("bob", 9)));
        assertThat(above(view, middle, Map.of("bob", part))).isEqualTo(6);
        assertThat(above(view, middle, Map.of("bob", PositionRange.below(middle))))
                .isEqualTo(8);
        assertThat(above(view, Position.LOWEST, Map.of("bob", PositionRange.ALL)))
                .as("served entries")
                .isEqualTo(8);
        CountQuery capped = new CountQuery(READER, Position.LOWEST, 3, Map.of("bob", PositionRange.ALL));
        assertThat(only(view, capped).above()).isEqualTo(3);
    }

    @Test
    @DisplayName("entries up to the position are returned on request, newest first, as in a slice")
    void reading() {
        InboxDriver view = withCap(16);
        view.live(READER);
        view.deliver(READER, shuffled(ties(), 5));
        view.deliver(READER, posts("bob", 5));
        List<Position> places = new ArrayList<>(List.of(Position.LOWEST, Position.HIGHEST));
        view.posts(READER).forEach(post -> places.add(Position.of(post)));
        Map<String, PositionRange> apart = Map.of("bob", PositionRange.ALL);
        for (Position from : places) {
            for (Position above : places) {
                CountQuery query = new CountQuery(READER, from, above, EVERYTHING, Map.of());
                Slice slice = view.slice(READER, query.read(), Order.NEWEST_FIRST, EVERYTHING);
                assertThat(only(view, query).inbox())
                        .as("from %s to %s", from, above)
                        .isEqualTo(slice);
                assertThat(only(view, query).above()).isEqualTo(above(view, above, EVERYTHING));
                CountQuery withApart = new CountQuery(READER, from, above, EVERYTHING, apart);
                assertThat(only(view, withApart).inbox())
                        .as("with an excluded author")
                        .isEqualTo(slice);
                assertThat(only(view, withApart).above()).isEqualTo(above(view, above, apart));
            }
        }
    }

    @Test
    @DisplayName("a limit bounds the returned entries: the newest are returned")
    void readingLimits() {
        inbox.live(READER);
        inbox.deliver(READER, posts("bob", 9));
        Position above = Position.of(post("bob", 7));
        Count count = only(inbox, new CountQuery(READER, Position.of(post("bob", 2)), above, 3, Map.of()));
        assertThat(count.inbox().posts()).containsExactly(post("bob", 7), post("bob", 6), post("bob", 5));
        assertThat(count.above()).isEqualTo(2);
    }

    @Test
    @DisplayName("excluded authors are compared by the whole id, and their ranges by the whole position")
    void apartTies() {
        inbox.live(READER);
        List<Post> alike = new ArrayList<>(ties());
        for (String author : List.of("7", "17", "117", "0", "~7", "!7", "y7", "a7")) {
            alike.add(Post.of(author, "1", 5000));
            alike.add(Post.of(author, "17", 5000));
            alike.add(Post.of(author, "a~!7", 5000));
        }
        inbox.deliver(READER, shuffled(alike, 5));
        int all = alike.size();
        for (Post post : alike) {
            Position place = Position.of(post);
            int sameAuthor = (int) alike.stream()
                    .filter(other -> other.author().equals(post.author()))
                    .count();
            assertThat(above(inbox, Position.LOWEST, Map.of(post.author(), PositionRange.ALL)))
                    .as("all but those of %s", post.author())
                    .isEqualTo(all - sameAuthor);
            assertThat(above(inbox, Position.LOWEST, Map.of(post.author(), new PositionRange(place, place.next()))))
                    .as("all but %s", post)
                    .isEqualTo(all - 1);
        }
    }

    private static int above(InboxDriver view, Position above, Map<String, PositionRange> apart) {
        return only(view, new CountQuery(READER, above, EVERYTHING, apart)).above();
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
                    "r" + i,
                    Position.of(post("bob", i)),
                    EVERYTHING,
                    i == 5 ? Map.of("bob", PositionRange.below(Position.of(post("bob", 8)))) : Map.of()));
        }
        List<Count> counts = inbox.inbox().count(queries);
        assertThat(counts).extracting(Count::above).containsExactly(8, 4, 0, 8, 4, 2);
        assertThat(counts.get(2).inbox().state()).isEqualTo(State.ABSENT);
        assertThat(inbox.inbox().count(List.of())).isEmpty();
    }

    @Test
    @DisplayName(
            "a count that is sent is answered like one that is asked, while other calls are made and others dropped")
    void sent() {
        inbox.live(READER);
        inbox.live("other");
        inbox.deliver(READER, posts("bob", 3));
        CountQuery query = new CountQuery(READER, Position.LOWEST, EVERYTHING, Map.of());
        CountQuery ofOther = new CountQuery("other", Position.LOWEST, EVERYTHING, Map.of());
        Supplier<List<Count>> dropped = inbox.inbox().sendCount(List.of(ofOther, query));
        Supplier<List<Count>> first = inbox.inbox().sendCount(List.of(query));
        Supplier<List<Count>> both = inbox.inbox().sendCount(List.of(ofOther, query));
        inbox.deliver("unrelated", posts("bob", 3));
        assertThat(dropped).isNotNull();
        assertThat(both.get()).isEqualTo(inbox.inbox().count(List.of(ofOther, query)));
        assertThat(first.get()).isEqualTo(inbox.inbox().count(List.of(query)));
        assertThat(inbox.inbox().sendCount(List.of()).get()).isEmpty();
    }

    @Test
    @DisplayName("counting opens no inbox and stores nothing about an unknown reader")
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

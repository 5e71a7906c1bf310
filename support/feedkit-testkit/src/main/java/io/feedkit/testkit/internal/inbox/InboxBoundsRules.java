package io.feedkit.testkit.internal.inbox;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.internal.Samples;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many entries are stored and served, and the floor. A cap of 16 stores 18 entries, a cap of 4 stores 4. */
public abstract class InboxBoundsRules extends InboxRules {

    protected InboxBoundsRules(InboxKit kit) {
        super(kit);
    }

    /** A live inbox that received the posts 1 to {@code count}, oldest first. */
    private InboxDriver filled(int cap, int count) {
        InboxDriver view = withCap(cap);
        view.live(READER);
        view.deliver(READER, posts("bob", count));
        return view;
    }

    private static Position at(int n) {
        return Position.of(post("bob", n));
    }

    /** The posts {@code from} to {@code to}, newest first. */
    private static List<Post> between(int from, int to) {
        return newestFirst(posts("bob", to).subList(from - 1, to));
    }

    @Test
    @DisplayName("up to the cap everything is served, down to the lowest position")
    void upToCap() {
        Slice slice = filled(16, 16).slice(READER);
        assertThat(slice.posts()).isEqualTo(between(1, 16));
        assertThat(slice.floor()).isEqualTo(Position.LOWEST);
    }

    @Test
    @DisplayName("between trims the inbox serves the newest entries up to the cap, and the lowest of them as its floor")
    void betweenTrims() {
        Slice slice = filled(16, 18).slice(READER);
        assertThat(slice.posts()).isEqualTo(between(3, 18));
        assertThat(slice.floor()).isEqualTo(at(3));
    }

    @ParameterizedTest(name = "{0} posts into a cap of 16")
    @ValueSource(ints = {17, 18, 19, 20, 21, 22, 40, 100})
    @DisplayName("never more than the cap is served, in any order and within any range")
    void capIsHard(int count) {
        InboxDriver view = filled(16, count);
        assertThat(view.posts(READER)).isEqualTo(between(count - 15, count));
        assertThat(view.floor(READER)).isEqualTo(at(count - 15));
        assertThat(view.slice(READER, PositionRange.below(at(count - 15)), Order.NEWEST_FIRST, 100)
                        .posts())
                .isEmpty();
        assertThat(view.slice(READER, PositionRange.ALL, Order.OLDEST_FIRST, 2).posts())
                .containsExactly(post("bob", count - 15), post("bob", count - 14));
    }

    @Test
    @DisplayName(
            "an insertion beyond the cap and an eighth trims to the cap and raises the floor to the lowest entry kept")
    void trim() {
        InboxDriver view = filled(16, 19);
        assertThat(view.posts(READER)).isEqualTo(between(4, 19));
        assertThat(view.floor(READER)).isEqualTo(at(4));
        assertThat(view.deliver(READER, post("bob", 3))).isEqualTo(Outcome.BELOW_FLOOR);
        assertThat(view.deliver(READER, post("bob", 1))).isEqualTo(Outcome.BELOW_FLOOR);
        assertThat(view.deliver(READER, post("bob", 4))).isEqualTo(Outcome.PRESENT);
        assertThat(view.posts(READER)).isEqualTo(between(4, 19));
    }

    @Test
    @DisplayName("between trims an old entry is still accepted, and is served when a newer one is removed")
    void oldEntryBetweenTrims() {
        InboxDriver view = withCap(16);
        view.live(READER);
        view.deliver(READER, posts("bob", 18).subList(1, 18));
        assertThat(view.deliver(READER, post("bob", 1))).isEqualTo(Outcome.ADDED);
        assertThat(view.deliver(READER, post("bob", 1))).isEqualTo(Outcome.PRESENT);
        assertThat(view.posts(READER)).isEqualTo(between(3, 18));
        view.retract(READER, post("bob", 18));
        view.retract(READER, post("bob", 17));
        assertThat(view.posts(READER)).isEqualTo(between(1, 16));
        assertThat(view.floor(READER)).isEqualTo(Position.LOWEST);
    }

    @Test
    @DisplayName("a post that is trimmed by its own insertion is BELOW_FLOOR, and the inbox stays as it was")
    void ownInsertionRaisesFloor() {
        InboxDriver view = withCap(4);
        view.live(READER);
        view.deliver(READER, posts("bob", 5).subList(1, 5));
        assertThat(view.floor(READER)).isEqualTo(Position.LOWEST);
        assertThat(view.deliver(READER, post("bob", 1))).isEqualTo(Outcome.BELOW_FLOOR);
        assertThat(view.posts(READER)).isEqualTo(between(2, 5));
        assertThat(view.floor(READER)).isEqualTo(at(2));
    }

    @Test
    @DisplayName("at the cap a newer entry replaces the oldest")
    void newerReplacesOldest() {
        InboxDriver view = filled(4, 4);
        for (int n = 5; n <= 9; n++) {
            assertThat(view.deliver(READER, post("bob", n))).isEqualTo(Outcome.ADDED);
            assertThat(view.posts(READER)).isEqualTo(between(n - 3, n));
            assertThat(view.floor(READER)).isEqualTo(at(n - 3));
        }
    }

    @Test
    @DisplayName("an inbox of one entry holds the newest")
    void capOfOne() {
        InboxDriver view = withCap(1);
        view.live(READER);
        assertThat(view.deliver(READER, List.of(post("bob", 2), post("bob", 1), post("bob", 3))))
                .containsExactly(Outcome.ADDED, Outcome.BELOW_FLOOR, Outcome.ADDED);
        assertThat(view.posts(READER)).containsExactly(post("bob", 3));
        assertThat(view.floor(READER)).isEqualTo(at(3));
    }

    @Test
    @DisplayName("after posts in any order, the newest are kept, and nothing above the floor was lost")
    void anyOrder() {
        InboxDriver view = withCap(40);
        view.live(READER);
        List<Post> posts = posts("bob", 200);
        for (Post post : shuffled(posts, 4)) {
            Position floor = view.floor(READER);
            Outcome outcome = view.deliver(READER, post);
            if (floor.compareOf(post) >= 0) {
                assertThat(outcome).isEqualTo(Outcome.ADDED);
            }
        }
        assertThat(view.posts(READER)).isEqualTo(between(161, 200));
        assertThat(view.floor(READER)).isEqualTo(at(161));
    }

    @Test
    @DisplayName("an entry at the floor is accepted, the next lower position is not")
    void floorIsInclusive() {
        long live = inbox.live("live");
        long building = inbox.build("building");
        Post above = Post.of("bob", "5", Samples.EPOCH);
        inbox.raise("live", live, Position.of(above));
        inbox.raise("building", building, Position.of(above));
        for (String reader : List.of("live", "building")) {
            assertThat(inbox.deliver(reader, Post.of("boa", "5", Samples.EPOCH)))
                    .isEqualTo(Outcome.BELOW_FLOOR);
            assertThat(inbox.deliver(reader, Post.of("bob", "4", Samples.EPOCH)))
                    .isEqualTo(Outcome.BELOW_FLOOR);
            assertThat(inbox.deliver(reader, Post.of("bob", "9", Samples.EPOCH - 1)))
                    .isEqualTo(Outcome.BELOW_FLOOR);
            assertThat(inbox.deliver(reader, above)).isEqualTo(Outcome.ADDED);
        }
        inbox.complete("building", building);
        for (String reader : List.of("live", "building")) {
            assertThat(inbox.posts(reader)).containsExactly(above);
            assertThat(inbox.floor(reader)).isEqualTo(Position.of(above));
        }
    }

    @Test
    @DisplayName(
            "a batch takes effect in its order: a later entry may trim an earlier one, or be refused because of it")
    void batchInOrder() {
        InboxDriver view = withCap(2);
        view.live(READER);
        assertThat(view.deliver(
                        READER,
                        List.of(post("bob", 1), post("bob", 2), post("bob", 3), post("bob", 1), post("bob", 3))))
                .containsExactly(Outcome.ADDED, Outcome.ADDED, Outcome.ADDED, Outcome.BELOW_FLOOR, Outcome.PRESENT);
        assertThat(view.posts(READER)).isEqualTo(between(2, 3));
    }

    @Test
    @DisplayName("a building inbox is trimmed too, and remembers the floor")
    void buildingTrims() {
        InboxDriver view = withCap(4);
        long generation = view.build(READER);
        view.deliver(READER, posts("bob", 7));
        assertThat(view.deliver(READER, post("bob", 1))).isEqualTo(Outcome.BELOW_FLOOR);
        view.complete(READER, generation);
        assertThat(view.posts(READER)).isEqualTo(between(4, 7));
        assertThat(view.floor(READER)).isEqualTo(at(4));
    }

    @Test
    @DisplayName("the floor does not change when entries are retracted or purged")
    void floorNeverFalls() {
        InboxDriver view = filled(4, 6);
        view.retract(READER, post("bob", 3));
        assertThat(view.floor(READER)).isEqualTo(at(3));
        assertThat(view.purge(READER, "bob", view.epoch(READER))).isTrue();
        assertThat(view.posts(READER)).isEmpty();
        assertThat(view.floor(READER)).isEqualTo(at(3));
        assertThat(view.deliver(READER, post("bob", 2))).isEqualTo(Outcome.BELOW_FLOOR);
        assertThat(view.deliver(READER, post("bob", 3))).isEqualTo(Outcome.ADDED);
    }

    @Test
    @DisplayName("a reopened inbox has the lowest floor again")
    void newOpeningNewFloor() {
        InboxDriver view = filled(4, 6);
        long generation = view.rebuild(READER);
        assertThat(view.deliver(READER, post("bob", 1))).isEqualTo(Outcome.ADDED);
        view.complete(READER, generation);
        assertThat(view.floor(READER)).isEqualTo(Position.LOWEST);
        assertThat(view.posts(READER)).containsExactly(post("bob", 1));
    }

    @Test
    @DisplayName("a view with a smaller cap serves less, and its first insertion trims to its own cap")
    void smallerView() {
        InboxDriver large = filled(100, 50);
        InboxDriver small = withCap(16);
        assertThat(small.posts(READER)).isEqualTo(between(35, 50));
        assertThat(small.floor(READER)).isEqualTo(at(35));
        assertThat(large.posts(READER)).isEqualTo(between(1, 50));
        assertThat(small.deliver(READER, post("bob", 51))).isEqualTo(Outcome.ADDED);
        assertThat(large.posts(READER)).isEqualTo(between(36, 51));
        assertThat(large.floor(READER)).isEqualTo(at(36));
    }
}

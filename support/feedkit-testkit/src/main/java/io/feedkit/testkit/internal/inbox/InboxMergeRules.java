package io.feedkit.testkit.internal.inbox;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Inbox.Merge;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Position;
import io.feedkit.testkit.internal.Samples;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Posts that a builder or an upkeep merges while other posts are pushed. */
public abstract class InboxMergeRules extends InboxRules {

    protected InboxMergeRules(InboxKit kit) {
        super(kit);
    }

    private static Position at(int n) {
        return Position.of(post("bob", n));
    }

    @Test
    @DisplayName("posts given in any order, some of them twice, are stored once and in order")
    void anyOrder() {
        long generation = inbox.live(READER);
        List<Post> posts = posts("bob", 30);
        List<Post> given = new ArrayList<>(shuffled(posts, 5));
        given.addAll(posts.subList(3, 9));
        inbox.merge(READER, generation, given, Position.LOWEST);
        assertThat(inbox.posts(READER)).isEqualTo(newestFirst(posts));
        assertThat(inbox.floor(READER)).isEqualTo(Position.LOWEST);
    }

    @Test
    @DisplayName("a builder's merge keeps what was pushed before and after it")
    void keepsPushes() {
        long generation = inbox.build(READER);
        inbox.deliver(READER, List.of(post("bob", 2), post("bob", 9)));
        inbox.merge(READER, generation, List.of(post("bob", 1), post("bob", 2), post("bob", 5)), Position.LOWEST);
        inbox.deliver(READER, post("bob", 7));
        inbox.complete(READER, generation);
        assertThat(inbox.posts(READER))
                .containsExactly(post("bob", 9), post("bob", 7), post("bob", 5), post("bob", 2), post("bob", 1));
    }

    @Test
    @DisplayName("it raises the floor, and drops the given and the present posts below it")
    void raisesFloor() {
        long generation = inbox.live(READER);
        inbox.deliver(READER, List.of(post("bob", 2), post("bob", 4), post("bob", 6)));
        inbox.merge(READER, generation, List.of(post("bob", 1), post("bob", 3), post("bob", 5)), at(4));
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 6), post("bob", 5), post("bob", 4));
        assertThat(inbox.floor(READER)).isEqualTo(at(4));
        assertThat(inbox.deliver(READER, post("bob", 3))).isEqualTo(Outcome.BELOW_FLOOR);
    }

    @Test
    @DisplayName("a building inbox remembers the raised floor")
    void buildingFloor() {
        long generation = inbox.build(READER);
        inbox.deliver(READER, post("bob", 2));
        inbox.merge(READER, generation, List.of(post("bob", 3), post("bob", 5)), at(4));
        assertThat(inbox.deliver(READER, post("bob", 3))).isEqualTo(Outcome.BELOW_FLOOR);
        inbox.complete(READER, generation);
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 5));
        assertThat(inbox.floor(READER)).isEqualTo(at(4));
    }

    @Test
    @DisplayName("a floor below the present one changes nothing, and admits no posts below the present floor")
    void lowerFloor() {
        long generation = inbox.live(READER);
        inbox.raise(READER, generation, at(4));
        inbox.merge(READER, generation, List.of(post("bob", 3), post("bob", 5)), at(2));
        assertThat(inbox.floor(READER)).isEqualTo(at(4));
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 5));
    }

    @Test
    @DisplayName("with no posts it only raises the floor")
    void onlyFloor() {
        long generation = inbox.live(READER);
        inbox.deliver(READER, posts("bob", 5));
        inbox.raise(READER, generation, at(3));
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 5), post("bob", 4), post("bob", 3));
        inbox.raise(READER, generation, at(9));
        assertThat(inbox.posts(READER)).isEmpty();
        assertThat(inbox.floor(READER)).isEqualTo(at(9));
        assertThat(inbox.state(READER)).isEqualTo(State.LIVE);
    }

    @Test
    @DisplayName("a floor need not be a post: just above one, at a bare time, or so high that it promises nothing")
    void floorsThatAreNotPosts() {
        String longest = "x".repeat(64);
        long generation = inbox.live(READER);
        Post lower = Post.of(longest, longest, Samples.EPOCH);
        Post upper = Post.of(longest, longest, Samples.EPOCH + 1);
        inbox.deliver(READER, List.of(lower, upper));
        Position aboveLower = Position.of(lower).next();
        inbox.raise(READER, generation, aboveLower);
        assertThat(inbox.posts(READER)).containsExactly(upper);
        assertThat(inbox.floor(READER)).isEqualTo(aboveLower);
        Position bareTime = new Position(Samples.EPOCH + 1, "", "");
        inbox.raise(READER, generation, bareTime);
        assertThat(inbox.posts(READER)).containsExactly(upper);
        assertThat(inbox.floor(READER)).isEqualTo(bareTime);
        inbox.raise(READER, generation, Position.HIGHEST);
        assertThat(inbox.posts(READER)).isEmpty();
        assertThat(inbox.floor(READER)).isEqualTo(Position.HIGHEST);
        assertThat(inbox.deliver(READER, new Post("bob", "1", Post.LATEST))).isEqualTo(Outcome.BELOW_FLOOR);
    }

    @Test
    @DisplayName("it is idempotent")
    void idempotent() {
        long generation = inbox.live(READER);
        List<Post> posts = posts("bob", 9);
        inbox.merge(READER, generation, posts, at(3));
        Slice once = inbox.slice(READER);
        inbox.merge(READER, generation, posts, at(3));
        assertThat(inbox.slice(READER)).isEqualTo(once);
    }

    @Test
    @DisplayName("in a live inbox it changes neither state nor generation nor mark nor epoch")
    void liveStaysLive() {
        long generation = inbox.live(READER);
        Slice before = inbox.slice(READER);
        inbox.merge(READER, generation, posts("bob", 2), Position.LOWEST);
        Slice after = inbox.slice(READER);
        assertThat(after.state()).isEqualTo(State.LIVE);
        assertThat(after.generation()).isEqualTo(generation);
        assertThat(after.mark()).isEqualTo(before.mark());
        assertThat(after.epoch()).isEqualTo(before.epoch());
    }

    @Test
    @DisplayName("it is refused for an absent inbox, and nothing is kept")
    void refusedWhenAbsent() {
        assertThat(inbox.inbox().merge(READER, 1, posts("bob", 2), Position.LOWEST))
                .isFalse();
        assertThat(inbox.state(READER)).isEqualTo(State.ABSENT);
        inbox.live(READER);
        assertThat(inbox.posts(READER)).isEmpty();
    }

    @Test
    @DisplayName("it is refused for another generation, building or live, and neither posts nor floor change")
    void refusedWhenStale() {
        long stale = inbox.live(READER);
        long fresh = inbox.rebuild(READER);
        assertThat(inbox.inbox().merge(READER, stale, posts("bob", 5), at(3))).isFalse();
        inbox.complete(READER, fresh);
        assertThat(inbox.inbox().merge(READER, stale, posts("bob", 5), at(3))).isFalse();
        assertThat(inbox.posts(READER)).isEmpty();
        assertThat(inbox.floor(READER)).isEqualTo(Position.LOWEST);
    }

    @Test
    @DisplayName(
            "it trims like a delivery: beyond the cap plus an eighth, to the cap, with the floor at the lowest entry"
                    + " kept")
    void trims() {
        InboxDriver view = withCap(16);
        long generation = view.build(READER);
        view.merge(READER, generation, shuffled(posts("bob", 30), 6), at(2));
        view.complete(READER, generation);
        assertThat(view.posts(READER)).isEqualTo(newestFirst(posts("bob", 30).subList(14, 30)));
        assertThat(view.floor(READER)).isEqualTo(at(15));
        assertThat(view.deliver(READER, post("bob", 14))).isEqualTo(Outcome.BELOW_FLOOR);
    }

    @Test
    @DisplayName("up to the cap plus an eighth it does not trim")
    void noTrimBetween() {
        InboxDriver view = withCap(16);
        long generation = view.live(READER);
        view.merge(READER, generation, posts("bob", 18).subList(1, 18), Position.LOWEST);
        assertThat(view.posts(READER)).isEqualTo(newestFirst(posts("bob", 18).subList(2, 18)));
        assertThat(view.floor(READER)).isEqualTo(at(3));
        assertThat(view.deliver(READER, post("bob", 1))).isEqualTo(Outcome.ADDED);
    }

    @Test
    @DisplayName("posts below the new floor do not count towards the cap")
    void floorFirst() {
        InboxDriver view = withCap(4);
        long generation = view.live(READER);
        view.deliver(READER, List.of(post("bob", 1), post("bob", 2)));
        view.merge(READER, generation, posts("bob", 7), at(5));
        assertThat(view.posts(READER)).containsExactly(post("bob", 7), post("bob", 6), post("bob", 5));
        assertThat(view.floor(READER)).isEqualTo(at(5));
    }

    @Test
    @DisplayName("one call merges into many inboxes, with their own floors and trims, and refuses other generations")
    void manyReaders() {
        InboxDriver view = withCap(16);
        long generation = view.live(READER);
        view.deliver(READER, List.of(post("amy", 1), post("amy", 8)));
        long full = view.live("full");
        view.deliver("full", posts("amy", 18));
        long stale = view.live("replaced");
        long building = view.build("building");
        view.rebuild("replaced");
        List<Post> posts = shuffled(posts("bob", 12), 3);
        assertThat(view.inbox()
                        .merge(List.of(
                                new Merge("replaced", stale, posts, Position.LOWEST),
                                new Merge(READER, generation, posts, at(6)),
                                new Merge("absent", generation, posts, Position.LOWEST),
                                new Merge("full", full, posts, at(3)),
                                new Merge("building", building, List.of(), at(4)))))
                .containsExactly(false, true, false, true, true);
        List<Post> expected = new ArrayList<>(posts("bob", 12).subList(5, 12));
        expected.add(post("amy", 8));
        assertThat(view.posts(READER)).isEqualTo(newestFirst(expected));
        assertThat(view.floor(READER)).isEqualTo(at(6));
        assertThat(view.posts("full")).hasSize(16);
        assertThat(view.deliver("full", post("eve", 2))).isEqualTo(Outcome.BELOW_FLOOR);
        assertThat(view.deliver("building", post("eve", 3))).isEqualTo(Outcome.BELOW_FLOOR);
        assertThat(view.deliver("building", post("eve", 4))).isEqualTo(Outcome.ADDED);
        for (int i = 20; i < 32; i++) {
            view.deliver(READER, post("eve", i));
        }
        assertThat(view.posts(READER))
                .as("after a trim by the number of entries")
                .hasSize(16);
        assertThat(view.inbox().merge(List.of())).isEmpty();
    }

    @Test
    @DisplayName("the given list is copied: later changes of it have no effect")
    void copies() {
        long generation = inbox.live(READER);
        List<Post> given = new ArrayList<>(posts("bob", 2));
        inbox.merge(READER, generation, given, Position.LOWEST);
        given.clear();
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 2), post("bob", 1));
    }
}

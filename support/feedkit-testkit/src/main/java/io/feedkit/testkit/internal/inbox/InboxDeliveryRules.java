package io.feedkit.testkit.internal.inbox;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.State;
import io.feedkit.testkit.internal.Samples;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The outcomes of posts that are pushed to readers. */
public abstract class InboxDeliveryRules extends InboxRules {

    protected InboxDeliveryRules(InboxKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("a post is ADDED once, then PRESENT, and served once")
    void idempotent() {
        inbox.live(READER);
        assertThat(inbox.deliver(READER, post("bob", 1))).isEqualTo(Outcome.ADDED);
        assertThat(inbox.deliver(READER, post("bob", 1))).isEqualTo(Outcome.PRESENT);
        assertThat(inbox.deliver(READER, post("bob", 2))).isEqualTo(Outcome.ADDED);
        assertThat(inbox.deliver(READER, post("bob", 1))).isEqualTo(Outcome.PRESENT);
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 2), post("bob", 1));
    }

    @Test
    @DisplayName("a reader without an inbox gets nothing, not even when the inbox is opened later")
    void notLive() {
        assertThat(inbox.deliver(READER, post("bob", 1))).isEqualTo(Outcome.NOT_LIVE);
        assertThat(inbox.state(READER)).isEqualTo(State.ABSENT);
        inbox.live(READER);
        assertThat(inbox.posts(READER)).isEmpty();
    }

    @Test
    @DisplayName("a building inbox distinguishes ADDED and PRESENT too")
    void buildingOutcomes() {
        inbox.build(READER);
        assertThat(inbox.deliver(READER, post("bob", 1))).isEqualTo(Outcome.ADDED);
        assertThat(inbox.deliver(READER, post("bob", 1))).isEqualTo(Outcome.PRESENT);
    }

    @Test
    @DisplayName("posts that arrive out of order are stored in order")
    void outOfOrder() {
        inbox.live(READER);
        List<Post> posts = posts("bob", 60);
        for (Post post : shuffled(posts, 1)) {
            assertThat(inbox.deliver(READER, post)).isEqualTo(Outcome.ADDED);
        }
        assertThat(inbox.posts(READER)).isEqualTo(newestFirst(posts));
    }

    @Test
    @DisplayName("outcome i of answer j is for reader i of delivery j")
    void answersInOrder() {
        inbox.live("ann");
        inbox.live("cid");
        inbox.deliver("cid", post("bob", 1));
        assertThat(inbox.inbox()
                        .deliver(List.of(
                                new Delivery(post("bob", 1), List.of("ann", "nobody", "cid"), 0),
                                new Delivery(post("bob", 2), List.of(), 0),
                                new Delivery(post("bob", 3), List.of("nobody", "cid"), 0))))
                .containsExactly(
                        List.of(Outcome.ADDED, Outcome.NOT_LIVE, Outcome.PRESENT),
                        List.of(),
                        List.of(Outcome.NOT_LIVE, Outcome.ADDED));
        assertThat(inbox.posts("ann")).containsExactly(post("bob", 1));
        assertThat(inbox.posts("cid")).containsExactly(post("bob", 3), post("bob", 1));
    }

    @Test
    @DisplayName("an empty batch does nothing")
    void emptyBatch() {
        assertThat(inbox.inbox().deliver(List.of())).isEmpty();
    }

    @Test
    @DisplayName("a reader named twice gets the post once")
    void readerTwice() {
        inbox.live(READER);
        assertThat(inbox.inbox().deliver(List.of(new Delivery(post("bob", 1), List.of(READER, READER), 0))))
                .containsExactly(List.of(Outcome.ADDED, Outcome.PRESENT));
        assertThat(inbox.posts(READER)).containsExactly(post("bob", 1));
    }

    @Test
    @DisplayName("a batch that holds each post twice delivers each once")
    void postTwice() {
        inbox.live(READER);
        Post first = post("bob", 1);
        Post second = post("bob", 2);
        assertThat(inbox.deliver(READER, List.of(first, second, first, second)))
                .containsExactly(Outcome.ADDED, Outcome.ADDED, Outcome.PRESENT, Outcome.PRESENT);
        assertThat(inbox.posts(READER)).containsExactly(second, first);
    }

    @Test
    @DisplayName("the same id of two authors means two posts")
    void sameIdTwoAuthors() {
        inbox.live(READER);
        Post bobs = Post.of("bob", "1", Samples.EPOCH);
        Post amys = Post.of("amy", "1", Samples.EPOCH);
        assertThat(inbox.deliver(READER, List.of(amys, bobs, amys)))
                .containsExactly(Outcome.ADDED, Outcome.ADDED, Outcome.PRESENT);
        assertThat(inbox.posts(READER)).containsExactly(bobs, amys);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 17, 50, 250})
    @DisplayName(
            "a large batch delivers every post to exactly the readers with an inbox, also after a batch in which no"
                    + " reader had one")
    void largeBatch(int oneIn) {
        List<String> readers = IntStream.range(0, 250).mapToObj(i -> "r" + i).toList();
        assertThat(inbox.inbox().deliver(List.of(new Delivery(post("bob", 0), readers, 0))))
                .containsExactly(Collections.nCopies(250, Outcome.NOT_LIVE));
        List<String> live = IntStream.range(0, 250)
                .filter(i -> i % oneIn == oneIn - 1)
                .mapToObj(i -> "r" + i)
                .toList();
        live.forEach(inbox::live);
        List<Post> posts = posts("bob", 3);
        List<List<Outcome>> outcomes = inbox.inbox()
                .deliver(posts.stream()
                        .map(post -> new Delivery(post, readers, 0))
                        .toList());
        List<Outcome> expected = IntStream.range(0, 250)
                .mapToObj(i -> i % oneIn == oneIn - 1 ? Outcome.ADDED : Outcome.NOT_LIVE)
                .toList();
        assertThat(outcomes).containsExactly(expected, expected, expected);
        assertThat(live).allSatisfy(reader -> assertThat(inbox.posts(reader)).isEqualTo(newestFirst(posts)));
    }

    @Test
    @DisplayName("awkward reader ids are separate")
    void awkwardReaders() {
        AWKWARD_IDS.forEach(inbox::live);
        for (int i = 0; i < AWKWARD_IDS.size(); i++) {
            assertThat(inbox.deliver(AWKWARD_IDS.get(i), post("bob", i))).isEqualTo(Outcome.ADDED);
        }
        for (int i = 0; i < AWKWARD_IDS.size(); i++) {
            assertThat(inbox.posts(AWKWARD_IDS.get(i))).containsExactly(post("bob", i));
        }
        inbox.inbox().drop(List.of("a"));
        assertThat(AWKWARD_IDS)
                .filteredOn(id -> inbox.state(id) != State.LIVE)
                .as("dropped together with reader a")
                .containsExactly("a");
    }

    @Test
    @DisplayName("awkward author and post ids are returned unchanged, in the order of their bytes")
    void awkwardPosts() {
        inbox.live(READER);
        List<Post> posts = new ArrayList<>();
        for (String author : AWKWARD_IDS) {
            for (String id : AWKWARD_IDS.subList(0, 12)) {
                posts.add(Post.of(author, id, Samples.EPOCH));
            }
        }
        for (String id : AWKWARD_IDS) {
            posts.add(Post.of("bob", id, Samples.EPOCH));
        }
        assertThat(inbox.deliver(READER, shuffled(posts, 2))).containsOnly(Outcome.ADDED);
        assertThat(inbox.deliver(READER, posts)).containsOnly(Outcome.PRESENT);
        assertThat(inbox.posts(READER)).isEqualTo(newestFirst(posts));
    }

    @Test
    @DisplayName("the earliest and the latest possible time of a post are kept exactly")
    void extremeTimes() {
        inbox.live(READER);
        Post earliest = new Post("bob", "1", Post.EARLIEST);
        Post next = Post.of("bob", "2", 1);
        Post latest = new Post("bob", "3", Post.LATEST);
        assertThat(inbox.deliver(READER, List.of(latest, earliest, next))).containsOnly(Outcome.ADDED);
        assertThat(inbox.posts(READER)).containsExactly(latest, next, earliest);
    }

    @Test
    @DisplayName("all views are of the same inboxes")
    void viewsShare() {
        withCap(500).live(READER);
        withCap(600).deliver(READER, post("bob", 1));
        assertThat(withCap(700).posts(READER)).containsExactly(post("bob", 1));
    }

    @Test
    @DisplayName("answers are immutable")
    void immutableAnswers() {
        inbox.live(READER);
        List<List<Outcome>> outcomes = inbox.inbox().deliver(List.of(new Delivery(post("bob", 1), List.of(READER), 0)));
        assertThatThrownBy(outcomes::clear)
                .as("changing an answer, which must be an immutable snapshot")
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> outcomes.get(0).clear()).isInstanceOf(UnsupportedOperationException.class);
    }
}

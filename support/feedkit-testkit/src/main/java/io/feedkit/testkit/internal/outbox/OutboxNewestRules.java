package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static io.feedkit.testkit.internal.Samples.ties;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.internal.Samples;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The posts for a rebuild: some posts of each of many authors. */
public abstract class OutboxNewestRules extends OutboxRules {

    protected OutboxNewestRules(OutboxKit kit) {
        super(kit);
    }

    private List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        return outbox.outbox().newest(authors, range, each);
    }

    @Test
    @DisplayName("each author's posts are returned newest first, in whatever order they were appended")
    void newestFirstPerAuthor() {
        outbox.publish(shuffled(posts("bob", 20), 1));
        outbox.publish(shuffled(posts("amy", 20), 2));
        assertThat(newest(List.of("amy", "bob"), PositionRange.ALL, 5))
                .containsExactly(
                        newestFirst(posts("amy", 20)).subList(0, 5),
                        newestFirst(posts("bob", 20)).subList(0, 5));
    }

    @Test
    @DisplayName("posts of one time are in the order of their ids, by bytes")
    void ordered() {
        List<Post> bobs =
                ties().stream().filter(post -> post.author().equals("bob")).toList();
        outbox.publish(shuffled(ties(), 3));
        assertThat(newest(List.of("bob"), PositionRange.ALL, 100)).containsExactly(newestFirst(bobs));
        assertThat(newest(List.of("bob"), PositionRange.ALL, 3))
                .containsExactly(newestFirst(bobs).subList(0, 3));
    }

    @Test
    @DisplayName("a range includes its lower bound and excludes its upper bound")
    void halfOpenRanges() {
        List<Post> bobs =
                ties().stream().filter(post -> post.author().equals("bob")).toList();
        outbox.publish(ties());
        for (int from = 0; from < bobs.size(); from++) {
            for (int below = from; below < bobs.size(); below++) {
                PositionRange range = new PositionRange(Position.of(bobs.get(from)), Position.of(bobs.get(below)));
                assertThat(newest(List.of("bob"), range, 100)).containsExactly(newestFirst(bobs.subList(from, below)));
            }
            Position next = Position.of(bobs.get(from)).next();
            assertThat(newest(List.of("bob"), PositionRange.below(next), 1)).containsExactly(List.of(bobs.get(from)));
            assertThat(newest(List.of("bob"), PositionRange.from(next), 100))
                    .containsExactly(newestFirst(bobs.subList(from + 1, bobs.size())));
        }
    }

    @Test
    @DisplayName("a bound at another author's post of the same time and id includes or excludes by the author")
    void boundsOfOtherAuthors() {
        Post post = Post.of("bob", "1", Samples.EPOCH);
        outbox.publish(post);
        Position amy = new Position(Samples.EPOCH, "1", "amy");
        Position cid = new Position(Samples.EPOCH, "1", "cid");
        assertThat(newest(List.of("bob"), new PositionRange(amy, cid), 1)).containsExactly(List.of(post));
        assertThat(newest(List.of("bob"), PositionRange.from(cid), 1)).containsExactly(List.of());
        assertThat(newest(List.of("bob"), PositionRange.below(amy), 1)).containsExactly(List.of());
    }

    @Test
    @DisplayName("answer i is for author i, and is empty for authors without posts")
    void answersInOrder() {
        outbox.publish(post("bob", 1), post("amy", 2));
        assertThat(newest(List.of("unknown", "bob", "nobody", "amy"), PositionRange.ALL, 3))
                .containsExactly(List.of(), List.of(post("bob", 1)), List.of(), List.of(post("amy", 2)));
        assertThat(newest(List.of(), PositionRange.ALL, 3)).isEmpty();
    }

    @Test
    @DisplayName("an empty range gives nothing")
    void emptyRange() {
        outbox.publish(posts("bob", 3));
        Position at = Position.of(post("bob", 2));
        assertThat(newest(List.of("bob"), new PositionRange(at, at), 3)).containsExactly(List.of());
        assertThat(newest(List.of("bob"), new PositionRange(Position.HIGHEST, at), 3))
                .containsExactly(List.of());
    }

    @Test
    @DisplayName("one call answers for many authors")
    void manyAuthors() {
        List<String> authors =
                IntStream.range(0, 300).mapToObj(i -> "author-" + i).toList();
        for (int n = 1; n <= 3; n++) {
            int number = n;
            outbox.publish(authors.stream().map(author -> post(author, number)).toList());
        }
        List<List<Post>> expected = authors.stream()
                .map(author -> List.of(post(author, 3), post(author, 2)))
                .toList();
        assertThat(newest(authors, PositionRange.ALL, 2)).isEqualTo(expected);
    }
}

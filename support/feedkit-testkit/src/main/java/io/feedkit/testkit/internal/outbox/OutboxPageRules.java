package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.oldestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static io.feedkit.testkit.internal.Samples.ties;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.internal.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One merged page of many outboxes. */
public abstract class OutboxPageRules extends OutboxRules {

    private static final Set<String> EVERYBODY = Set.of("Amy", "amy", "bob");

    protected OutboxPageRules(OutboxKit kit) {
        super(kit);
    }

    private List<Post> page(PositionRange range, Order order, int limit) {
        return outbox.page(EVERYBODY, range, order, limit);
    }

    @Test
    @DisplayName("posts of all authors are in one order: time, then id by bytes, then author by bytes")
    void merged() {
        outbox.publish(shuffled(ties(), 1));
        assertThat(page(PositionRange.ALL, Order.NEWEST_FIRST, 100)).isEqualTo(newestFirst(ties()));
    }

    @Test
    @DisplayName("oldest first is the mirror image of newest first")
    void mirror() {
        outbox.publish(shuffled(ties(), 2));
        assertThat(page(PositionRange.ALL, Order.OLDEST_FIRST, 100)).isEqualTo(oldestFirst(ties()));
    }

    @Test
    @DisplayName("a range includes its lower bound and excludes its upper bound, between ties too")
    void halfOpenRanges() {
        List<Post> posts = ties();
        outbox.publish(posts);
        for (int from = 0; from < posts.size(); from++) {
            for (int below = from; below < posts.size(); below++) {
                PositionRange range = new PositionRange(Position.of(posts.get(from)), Position.of(posts.get(below)));
                List<Post> inside = posts.subList(from, below);
                assertThat(page(range, Order.OLDEST_FIRST, 100)).isEqualTo(inside);
                assertThat(page(range, Order.NEWEST_FIRST, 100)).isEqualTo(newestFirst(inside));
            }
        }
    }

    @Test
    @DisplayName("next() turns an inclusive bound into an exclusive one and back")
    void nextBounds() {
        List<Post> posts = ties();
        outbox.publish(posts);
        for (int i = 0; i < posts.size(); i++) {
            Position next = Position.of(posts.get(i)).next();
            assertThat(page(PositionRange.below(next), Order.OLDEST_FIRST, 100)).isEqualTo(posts.subList(0, i + 1));
            assertThat(page(PositionRange.from(next), Order.OLDEST_FIRST, 100))
                    .isEqualTo(posts.subList(i + 1, posts.size()));
        }
    }

    @Test
    @DisplayName("bounds need not be posts")
    void boundsAreNotPosts() {
        outbox.publish(posts("bob", 4));
        PositionRange range =
                new PositionRange(new Position(Samples.EPOCH + 2, "", ""), new Position(Samples.EPOCH + 4, "", ""));
        assertThat(page(range, Order.NEWEST_FIRST, 100)).containsExactly(post("bob", 3), post("bob", 2));
    }

    @Test
    @DisplayName("only posts of the requested authors are in it")
    void onlyThoseAuthors() {
        outbox.publish(ties());
        assertThat(outbox.page(Set.of("amy", "unknown"), PositionRange.ALL, Order.OLDEST_FIRST, 100))
                .isEqualTo(ties().stream()
                        .filter(post -> post.author().equals("amy"))
                        .toList());
        assertThat(outbox.page(Set.of("unknown"), PositionRange.ALL, Order.NEWEST_FIRST, 5))
                .isEmpty();
        assertThat(outbox.page(Set.of(), PositionRange.ALL, Order.NEWEST_FIRST, 5))
                .isEmpty();
    }

    @Test
    @DisplayName("a limit cuts off the far end of the range, and fewer posts mean that there are no more")
    void limits() {
        List<Post> posts = new ArrayList<>(posts("bob", 15));
        posts.addAll(posts("amy", 15));
        outbox.publish(posts);
        for (int limit : List.of(1, 2, 29, 30, 31, 500)) {
            int expected = Math.min(limit, 30);
            assertThat(page(PositionRange.ALL, Order.NEWEST_FIRST, limit))
                    .isEqualTo(newestFirst(posts).subList(0, expected));
            assertThat(page(PositionRange.ALL, Order.OLDEST_FIRST, limit))
                    .isEqualTo(oldestFirst(posts).subList(0, expected));
        }
    }

    @Test
    @DisplayName("an author with all the newest posts does not hide the others")
    void unevenAuthors() {
        outbox.publish(posts("bob", 50));
        outbox.publish(Post.of("amy", "old", Samples.EPOCH));
        assertThat(page(PositionRange.ALL, Order.NEWEST_FIRST, 100))
                .hasSize(51)
                .endsWith(Post.of("amy", "old", Samples.EPOCH));
        assertThat(page(PositionRange.below(Position.of(post("bob", 1))), Order.NEWEST_FIRST, 5))
                .containsExactly(Post.of("amy", "old", Samples.EPOCH));
    }

    @Test
    @DisplayName("a walk in pages meets every post of many authors once, downwards and upwards")
    void walks() {
        List<Post> posts = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            posts.addAll(posts("author-" + i, 5));
        }
        outbox.publish(posts);
        Set<String> authors =
                IntStream.range(0, 40).mapToObj(i -> "author-" + i).collect(Collectors.toSet());
        List<Post> down = new ArrayList<>();
        for (List<Post> page = outbox.page(authors, PositionRange.ALL, Order.NEWEST_FIRST, 7); !page.isEmpty(); ) {
            down.addAll(page);
            assertThat(down).hasSizeLessThanOrEqualTo(posts.size());
            Position last = Position.of(page.get(page.size() - 1));
            page = outbox.page(authors, PositionRange.below(last), Order.NEWEST_FIRST, 7);
        }
        assertThat(down).isEqualTo(newestFirst(posts));
        List<Post> up = new ArrayList<>();
        for (List<Post> page = outbox.page(authors, PositionRange.ALL, Order.OLDEST_FIRST, 7); !page.isEmpty(); ) {
            up.addAll(page);
            assertThat(up).hasSizeLessThanOrEqualTo(posts.size());
            Position last = Position.of(page.get(page.size() - 1));
            page = outbox.page(authors, PositionRange.from(last.next()), Order.OLDEST_FIRST, 7);
        }
        assertThat(up).isEqualTo(oldestFirst(posts));
    }

    @Test
    @DisplayName("any page of any authors equals the result of filtering and sorting all posts")
    void randomPages() {
        Random random = new Random(7);
        List<Post> posts = random
                .ints(300, 0, 60)
                .mapToObj(time ->
                        Post.of("author-" + random.nextInt(12), "p" + random.nextInt(100), Samples.EPOCH + time))
                .collect(Collectors.toMap(Post::key, post -> post, (first, second) -> first))
                .values()
                .stream()
                .toList();
        outbox.publish(posts);
        for (int i = 0; i < 100; i++) {
            Set<String> authors =
                    random.ints(5, 0, 14).mapToObj(n -> "author-" + n).collect(Collectors.toSet());
            Position a = Position.of(posts.get(random.nextInt(posts.size())));
            Position b = Position.of(posts.get(random.nextInt(posts.size())));
            PositionRange range = new PositionRange(Position.min(a, b), Position.max(a, b));
            Order order = random.nextBoolean() ? Order.NEWEST_FIRST : Order.OLDEST_FIRST;
            int limit = 1 + random.nextInt(40);
            List<Post> inside = posts.stream()
                    .filter(post -> authors.contains(post.author()) && range.contains(post))
                    .toList();
            List<Post> ordered = order == Order.NEWEST_FIRST ? newestFirst(inside) : oldestFirst(inside);
            assertThat(outbox.page(authors, range, order, limit))
                    .as("query %s: %s %s of %s within %s", i, limit, order, authors, range)
                    .isEqualTo(ordered.subList(0, Math.min(limit, ordered.size())));
        }
    }

    @Test
    @DisplayName("answers are immutable")
    void immutableAnswers() {
        outbox.publish(post("bob", 1));
        List<Post> page = page(PositionRange.ALL, Order.NEWEST_FIRST, 5);
        assertThatThrownBy(page::clear)
                .as("changing an answer, which must be an immutable snapshot")
                .isInstanceOf(UnsupportedOperationException.class);
    }
}

package io.feedkit.testkit.internal.outbox;

import static io.feedkit.testkit.internal.Samples.AWKWARD_IDS;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static io.feedkit.testkit.internal.Samples.shuffled;
import static io.feedkit.testkit.internal.Samples.ties;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Outbox.Counted;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.internal.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Counting posts in ranges: the number of posts that a page of the range would hold. */
public abstract class OutboxCountRules extends OutboxRules {

    private static final int EVERYTHING = 10_000;

    protected OutboxCountRules(OutboxKit kit) {
        super(kit);
    }

    private int count(Set<String> authors, PositionRange range, int limit) {
        List<Counted> counts = outbox.outbox().count(List.of(new CountQuery(authors, range, limit)));
        assertThat(counts).as("answers to one query").hasSize(1);
        assertThat(counts.get(0).posts()).as("posts that were not requested").isEmpty();
        return counts.get(0).above();
    }

    private void assertLikePages(Set<String> authors, List<PositionRange> ranges) {
        List<CountQuery> queries = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        for (PositionRange range : ranges) {
            for (int limit : List.of(3, EVERYTHING)) {
                queries.add(new CountQuery(authors, range, limit));
                expected.add(range.isEmpty() ? 0 : pageSize(authors, range, limit));
            }
        }
        assertThat(outbox.outbox().count(queries)).extracting(Counted::above).isEqualTo(expected);
    }

    private int pageSize(Set<String> authors, PositionRange range, int limit) {
        return outbox.outbox()
                .page(new PageQuery(authors, range, Order.NEWEST_FIRST, limit))
                .size();
    }

    @Test
    @DisplayName("a range includes its lower bound and excludes its upper bound, between ties of all authors too")
    void ranges() {
        outbox.publish(shuffled(ties(), 5));
        List<Position> bounds = new ArrayList<>(List.of(Position.LOWEST, Position.HIGHEST));
        for (Post post : ties()) {
            bounds.add(Position.of(post));
            bounds.add(Position.of(post).next());
            bounds.add(new Position(post.publishedAt().toEpochMilli(), "", ""));
        }
        List<PositionRange> ranges = new ArrayList<>();
        for (Position from : bounds) {
            bounds.forEach(below -> ranges.add(new PositionRange(from, below)));
        }
        assertLikePages(Set.of("amy", "bob", "Amy"), ranges);
        assertLikePages(Set.of("bob"), ranges);
    }

    @Test
    @DisplayName("a limit bounds the count of all authors together")
    void limits() {
        outbox.publish(posts("bob", 40));
        outbox.publish(posts("amy", 60));
        for (int limit : List.of(1, 39, 40, 41, 99, 100, 101)) {
            assertThat(count(Set.of("amy", "bob"), PositionRange.ALL, limit)).isEqualTo(Math.min(limit, 100));
        }
    }

    @Test
    @DisplayName("deleted posts do not count, and authors without posts add nothing")
    void deleted() {
        outbox.publish(posts("bob", 5));
        outbox.delete(post("bob", 5).key());
        outbox.delete(post("bob", 2).key());
        outbox.delete(post("gone", 1).key());
        assertThat(count(Set.of("bob", "gone", "nobody"), PositionRange.ALL, EVERYTHING))
                .isEqualTo(3);
        PositionRange above = PositionRange.from(Position.of(post("bob", 2)));
        assertThat(count(Set.of("bob"), above, EVERYTHING)).isEqualTo(2);
        assertThat(count(Set.of("nobody"), PositionRange.ALL, 1)).isZero();
        assertThat(count(Set.of(), PositionRange.ALL, 1)).isZero();
        assertThat(outbox.outbox().count(List.of())).isEmpty();
    }

    @Test
    @DisplayName("many posts of one millisecond are distinguished by their ids")
    void oneMillisecond() {
        List<Post> posts = new ArrayList<>();
        for (int n = 100; n < 300; n++) {
            posts.add(Post.of("bob", "p" + n, Samples.EPOCH));
        }
        outbox.publish(posts);
        PositionRange above = PositionRange.from(Position.of(posts.get(149)).next());
        assertThat(count(Set.of("bob"), above, EVERYTHING)).isEqualTo(50);
        assertThat(count(Set.of("bob"), PositionRange.below(Position.of(posts.get(149))), EVERYTHING))
                .isEqualTo(149);
        assertThat(count(Set.of("bob"), above, 20)).isEqualTo(20);
    }

    @Test
    @DisplayName("every valid id counts separately")
    void awkwardIds() {
        List<CountQuery> queries = new ArrayList<>();
        for (String author : AWKWARD_IDS) {
            outbox.publish(List.of(Post.of(author, author, Samples.EPOCH)));
            queries.add(new CountQuery(
                    Set.of(author), PositionRange.from(new Position(Samples.EPOCH, author, author)), 100));
        }
        assertThat(outbox.outbox().count(queries))
                .hasSameSizeAs(AWKWARD_IDS)
                .extracting(Counted::above)
                .containsOnly(1);
    }

    @Test
    @DisplayName("posts up to a position are returned, posts above it are counted, between ties too")
    void reading() {
        outbox.publish(shuffled(ties(), 5));
        List<Position> places = new ArrayList<>(List.of(Position.LOWEST, Position.HIGHEST));
        for (Post post : ties()) {
            places.add(Position.of(post));
            places.add(new Position(post.publishedAt().toEpochMilli() + 1, "", ""));
        }
        PositionRange range = PositionRange.from(Position.of(ties().get(3)));
        List<CountQuery> queries = new ArrayList<>();
        places.forEach(above -> queries.add(new CountQuery(Set.of("amy", "bob", "Amy"), range, above, EVERYTHING)));
        List<Counted> answers = outbox.outbox().count(queries);
        for (int i = 0; i < queries.size(); i++) {
            CountQuery query = queries.get(i);
            List<Post> counted =
                    ties().stream().filter(query.counted()::contains).toList();
            List<Post> read = ties().stream().filter(query.read()::contains).toList();
            assertThat(answers.get(i).above()).as("above %s", query.above()).isEqualTo(counted.size());
            assertThat(answers.get(i).posts()).as("up to %s", query.above()).containsExactlyInAnyOrderElementsOf(read);
        }
    }

    @Test
    @DisplayName("a limit bounds the returned posts of all authors together, and deleted posts are not returned")
    void readingLimits() {
        outbox.publish(posts("bob", 40));
        outbox.publish(posts("amy", 60));
        outbox.delete(post("bob", 2).key());
        Position above = Position.of(post("bob", 20));
        for (int limit : List.of(1, 38, 39, 40, 200)) {
            Counted answer = outbox.outbox()
                    .count(List.of(new CountQuery(Set.of("amy", "bob"), PositionRange.ALL, above, limit)))
                    .get(0);
            assertThat(answer.posts()).doesNotHaveDuplicates().hasSize(Math.min(limit, 39));
            assertThat(answer.posts()).allMatch(post -> above.compareOf(post) <= 0);
            assertThat(answer.above()).isEqualTo(Math.min(limit, 60));
        }
    }
}

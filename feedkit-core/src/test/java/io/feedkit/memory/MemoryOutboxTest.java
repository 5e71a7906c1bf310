package io.feedkit.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.Published;
import io.feedkit.RegisterSnapshot;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Outbox.Counted;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The outbox in memory")
class MemoryOutboxTest {

    private final SettableClock clock = new SettableClock(5_000);
    private final MemoryOutbox outbox = new MemoryOutbox(clock);

    @ParameterizedTest
    @EnumSource(Order.class)
    @DisplayName("merges pages as sorting everything would")
    void pagesLikeBruteForce(Order order) {
        Random random = new Random(42);
        List<Post> all = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            // Few authors have most posts, and times collide.
            String author = "a" + (int) (300 * Math.pow(random.nextDouble(), 3));
            all.add(Post.of(author, "p" + i, random.nextInt(8_000)));
        }
        publish(all);
        all.sort(order == Order.NEWEST_FIRST ? (a, b) -> Position.compare(b, a) : Position::compare);

        for (int round = 0; round < 100; round++) {
            Set<String> authors = IntStream.range(0, 1 + random.nextInt(200))
                    .mapToObj(i -> "a" + random.nextInt(310))
                    .collect(Collectors.toSet());
            long from = random.nextInt(8_000);
            PositionRange range = new PositionRange(
                    new Position(from, "", ""), new Position(from + random.nextInt(8_000), "p5", "a"));
            int limit = 1 + random.nextInt(round % 10 == 0 ? 5_000 : 30);

            List<Post> page = outbox.page(new PageQuery(authors, range, order, limit));

            assertThat(page)
                    .as("round %s", round)
                    .isEqualTo(all.stream()
                            .filter(post -> authors.contains(post.author()) && range.contains(post))
                            .limit(limit)
                            .toList());
        }
    }

    @Test
    @DisplayName("publishes a post once, with one task, however many threads try")
    void publishesOnce() throws Exception {
        int posts = 2_000;

        List<Integer> fresh = Concurrently.run(4, thread -> {
            int added = 0;
            for (int i = 0; i < posts; i++) {
                Post post = Post.of("author", "p" + i, 100 + thread);
                Appended answer = outbox.append(new Publication(post, FanoutMode.PUSH));
                added += answer.status() == Published.Status.NEW ? 1 : 0;
            }
            return added;
        });

        assertThat(fresh.stream().mapToInt(Integer::intValue).sum()).isEqualTo(posts);
        assertThat(outbox.fanout().queueStatus().unfinished()).isEqualTo(posts);
        assertThat(outbox.count(List.of(new CountQuery(Set.of("author"), PositionRange.ALL, Integer.MAX_VALUE))))
                .extracting(Counted::above)
                .containsExactly(posts);
        assertThat(outbox.lastAppended(Set.of("author"))).containsEntry("author", 5_000L);
    }

    @Test
    @DisplayName("deletes a post for good while others publish it")
    void deleteRacesPublish() throws Exception {
        int posts = 2_000;

        List<Integer> deleted = Concurrently.run(3, thread -> {
            int removed = 0;
            for (int i = 0; i < posts; i++) {
                Post post = Post.of("author", "p" + i, 100);
                if (thread == 0) {
                    removed += outbox.delete(post.key()) ? 1 : 0;
                } else {
                    outbox.append(new Publication(post, FanoutMode.PULL));
                }
            }
            return removed;
        });

        int removed = deleted.get(0);
        assertThat(outbox.page(new PageQuery(Set.of("author"), PositionRange.ALL, Order.NEWEST_FIRST, 10)))
                .isEmpty();
        assertThat(RegisterSnapshot.of(outbox.pulled()).retracting()).hasSize(posts);
        List<Claim> claims = outbox.fanout().claim(10 * posts, 1_000);
        assertThat(claims.stream().filter(claim -> claim.task().kind() == Kind.RETRACT))
                .hasSize(posts);
        assertThat(claims.stream().filter(claim -> claim.task().kind() == Kind.PULL))
                .hasSize(removed);
    }

    @Test
    @DisplayName("shows every post appended before the settled mark, and has no task from before it")
    void settledMarkIsExact() throws Exception {
        MemoryOutbox real = new MemoryOutbox(Clock.systemUTC());
        Set<Boolean> verdicts = new HashSet<>(Concurrently.run(4, thread -> {
            boolean settled = true;
            for (int i = 0; i < 5_000; i++) {
                if (thread < 2) {
                    Post post = Post.of("a" + i % 7, thread + "-" + i, i);
                    real.append(new Publication(post, FanoutMode.PUSH));
                } else if (thread == 2) {
                    real.fanout().finish(real.fanout().claim(4, 60_000), 0);
                } else {
                    long mark = real.settledMark();
                    long oldest = real.fanout().invisibleSince();
                    settled &= oldest == 0 || oldest >= mark;
                }
            }
            return settled;
        }));

        assertThat(verdicts).containsExactly(true);
    }

    private void publish(List<Post> posts) {
        outbox.append(posts.stream()
                .map(post -> new Publication(post, FanoutMode.PUSH))
                .toList());
    }
}

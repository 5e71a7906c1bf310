package io.feedkit.redis.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.outbox.TestOutbox;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Tasks of all partitions")
class TaskOrderTest {

    private static final long LEASE = 60_000;
    private static final Duration TICK = Duration.ofMillis(1);

    private final TestOutbox truth = new TestOutbox();
    private final FanoutLog log = truth.outbox().fanout();
    private final List<String> authors = IntStream.range(0, Keys.PARTITIONS)
            .mapToObj(partition -> TestOutbox.authorsIn(partition, 1).get(0))
            .toList();

    @AfterEach
    void close() {
        truth.close();
    }

    /** One post a millisecond, by the authors in turn. */
    private List<Post> publishInTurns(int rounds) {
        List<Post> posts = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            for (String author : authors) {
                posts.add(Post.of(author, "p" + round, round));
                truth.publish(posts.subList(posts.size() - 1, posts.size()));
                truth.clock().advance(TICK);
            }
        }
        return posts;
    }

    private static List<Post> lentPosts(List<LentTask> lent) {
        return lent.stream().map(each -> each.task().post()).toList();
    }

    private static List<Post> posts(List<Claim> claims) {
        return claims.stream().map(claim -> claim.task().post()).toList();
    }

    @Test
    @DisplayName("are looked for with one script")
    void oneLook() {
        truth.outbox().fanout().claim(64, 1000);
        long scripts = TestOutbox.calls("evalsha");
        assertThat(truth.outbox().fanout().claim(64, 1000)).isEmpty();
        assertThat(TestOutbox.calls("evalsha") - scripts).isEqualTo(1);
    }

    @Test
    @DisplayName("are claimed in one order, one by one")
    void oneByOne() {
        List<Post> posts = publishInTurns(2);
        List<Post> claimed = new ArrayList<>();
        posts.forEach(post -> claimed.addAll(posts(log.claim(1, LEASE))));
        assertThat(claimed).isEqualTo(posts);
    }

    @Test
    @DisplayName("are claimed in one order, many at a time")
    void many() {
        List<Post> posts = publishInTurns(5);
        assertThat(posts(log.claim(7, LEASE))).isEqualTo(posts.subList(0, 7));
        assertThat(posts(log.claim(33, LEASE))).isEqualTo(posts.subList(7, 40));
        assertThat(posts(log.claim(1000, LEASE))).isEqualTo(posts.subList(40, 80));
    }

    @Test
    @DisplayName("are claimed in one order where one partition has most of those that come first")
    void uneven() {
        String busy = authors.get(9);
        List<Post> posts = new ArrayList<>();
        for (int n = 0; n < 60; n++) {
            posts.add(Post.of(busy, "b" + n, n));
            truth.publish(posts.subList(n, n + 1));
            truth.clock().advance(TICK);
        }
        posts.addAll(publishInTurns(1));
        assertThat(posts(log.claim(64, LEASE))).isEqualTo(posts.subList(0, 64));
    }

    @Test
    @DisplayName("take turns when they are given back, also with new ones")
    void turns() {
        List<Post> posts = publishInTurns(1);
        for (int n = 0; n < 10; n++) {
            log.release(log.claim(1, LEASE).stream()
                    .map(claim -> new Release(claim, "reader", 0))
                    .toList());
            truth.clock().advance(TICK);
        }
        Post late = Post.of("late", "1", 1);
        truth.publish(List.of(late));
        List<Post> expected = new ArrayList<>(posts.subList(10, 16));
        expected.addAll(posts.subList(0, 10));
        expected.add(late);
        assertThat(posts(log.claim(100, LEASE))).isEqualTo(expected);
    }

    @Test
    @DisplayName("of a frozen clock take turns, too, for those that are given back come behind all others")
    void frozenClock() {
        List<String> two = TestOutbox.authorsIn(3, 2);
        truth.publish(List.of(Post.of(two.get(0), "1", 1), Post.of(two.get(1), "2", 2), Post.of("eve", "3", 3)));
        List<Post> claimed = new ArrayList<>();
        for (int n = 0; n < 6; n++) {
            List<Claim> claims = log.claim(1, LEASE);
            claimed.addAll(posts(claims));
            log.release(claims.stream().map(claim -> new Release(claim, "", 0)).toList());
        }
        assertThat(claimed.subList(0, 3)).doesNotHaveDuplicates();
        assertThat(claimed.subList(3, 6)).isEqualTo(claimed.subList(0, 3));
    }

    @Test
    @DisplayName("are claimed by the hundreds")
    void hundreds() {
        List<Post> posts = IntStream.range(0, 450)
                .mapToObj(n -> Post.of(authors.get(n % 3), "p" + n, n))
                .toList();
        truth.publish(posts);
        List<Claim> claims = log.claim(1000, LEASE);
        assertThat(posts(claims)).containsExactlyInAnyOrderElementsOf(posts);
        assertThat(log.finish(claims, LEASE)).hasSize(450).containsOnly(true);
        assertThat(log.queueStatus().unfinished()).isZero();
    }

    @Test
    @DisplayName("are lent in the same order, and the window counts the loans of all partitions")
    void lent() {
        List<Post> posts = publishInTurns(5);
        assertThat(lentPosts(log.lend(7, LEASE, 40))).isEqualTo(posts.subList(0, 7));
        assertThat(lentPosts(log.lend(64, LEASE, 40))).isEqualTo(posts.subList(7, 40));
        assertThat(log.lend(64, LEASE, 40)).isEmpty();
        assertThat(posts(log.claim(1000, LEASE))).isEqualTo(posts.subList(40, 80));
    }

    @Test
    @DisplayName("are lent, taken and returned by the hundreds")
    void loans() {
        List<Post> posts = IntStream.range(0, 450)
                .mapToObj(n -> Post.of(authors.get(n % 3), "p" + n, n))
                .toList();
        truth.publish(posts);
        List<Loan> loans =
                log.lend(1000, LEASE, 1000).stream().map(LentTask::loan).toList();
        assertThat(loans).hasSize(450);
        List<Loan> twice = Stream.concat(loans.subList(0, 400).stream(), loans.subList(0, 400).stream())
                .toList();
        List<Claim> claims =
                log.take(twice, LEASE).stream().flatMap(Optional::stream).toList();
        assertThat(claims).extracting(claim -> claim.task().id()).hasSize(400).doesNotHaveDuplicates();
        assertThat(log.finish(claims, LEASE)).doesNotContain(false);
        List<Boolean> returned = log.returnLoans(loans);
        assertThat(returned.subList(0, 400)).containsOnly(false);
        assertThat(returned.subList(400, 450)).containsOnly(true);
        assertThat(log.claim(1000, LEASE)).hasSize(50);
    }

    @Test
    @DisplayName("that were never lent are claimed without a command for loans")
    void neverLent() {
        publishInTurns(1);
        List<Long> before = commands();
        List<Claim> claims = log.claim(64, LEASE);
        List<Long> claimed = commands();
        assertThat(claims).hasSize(16);
        assertThat(claimed.get(0) - before.get(0)).as("counts").isZero();
        assertThat(claimed.get(1) - before.get(1))
                .as("additions to queue and open")
                .isEqualTo(32);
        assertThat(claimed.get(2) - before.get(2)).as("removals").isZero();
    }

    private static List<Long> commands() {
        return Stream.of("zlexcount", "zadd", "zrem").map(TestOutbox::calls).toList();
    }
}

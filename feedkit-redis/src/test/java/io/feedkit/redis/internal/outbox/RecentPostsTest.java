package io.feedkit.redis.internal.outbox;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.Published.Status;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.internal.RegisterSnapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Packed heads of pulled authors")
class RecentPostsTest {

    private final TestOutbox truth = new TestOutbox();
    private final RedisOutbox outbox = truth.outbox();
    private final List<Post> posts = IntStream.range(0, 70)
            .mapToObj(n -> Post.of("bob", id(n), 1_000 + n / 3))
            .toList();

    /** Ids of digits or not, of even and odd lengths up to the longest. */
    private static String id(int n) {
        String digits = "98765432109876543210".repeat(4).substring(0, 1 + n % 62) + n % 10 + n / 10 % 10;
        return switch (n % 4) {
            case 0 -> "p~" + n;
            case 1 -> "0" + digits.substring(1);
            default -> digits;
        };
    }

    @BeforeEach
    void publish() {
        truth.publish(posts);
        truth.publish(List.of(Post.of("amy", "a1", Post.LATEST.toEpochMilli()), Post.of("amy", "a2", 0)));
        pull("bob", "amy", "silent");
    }

    @AfterEach
    void close() {
        truth.close();
    }

    private void pull(String... authors) {
        for (String author : authors) {
            outbox.pulled().put(List.of(Post.of(author, "unpushed", 1)));
        }
        RegisterSnapshot.of(outbox.pulled());
    }

    private List<List<Post>> newest(int each) {
        return outbox.newest(List.of("bob", "eve", "silent", "amy"), PositionRange.ALL, each);
    }

    private List<Post> bobs() {
        List<Post> bobs = new ArrayList<>(posts);
        bobs.sort(Collections.reverseOrder(Position::compare));
        return bobs;
    }

    private List<List<Post>> expected(int each) {
        List<Post> amys = List.of(Post.of("amy", "a1", Post.LATEST.toEpochMilli()), Post.of("amy", "a2", 0));
        return List.of(bobs().subList(0, each), List.of(), List.of(), amys.subList(0, Math.min(each, 2)));
    }

    private boolean hasHead(String author) {
        return TestOutbox.commands().exists(truth.ofAuthor("head", author)) == 1;
    }

    @Test
    @DisplayName("say what the outboxes say, made or found")
    void right() {
        for (int n = 0; n < 2; n++) {
            assertThat(newest(RecentPosts.POSTS)).isEqualTo(expected(RecentPosts.POSTS));
            assertThat(newest(RecentPosts.POSTS - 1)).isEqualTo(expected(RecentPosts.POSTS - 1));
            assertThat(newest(1)).isEqualTo(expected(1));
        }
    }

    @Test
    @DisplayName("answer for the posts from a position on, too")
    void from() {
        List<Post> newest = bobs().subList(0, RecentPosts.POSTS);
        for (int oldest = 0; oldest < newest.size(); oldest++) {
            PositionRange range = PositionRange.from(Position.of(newest.get(oldest)));
            assertThat(outbox.newest(List.of("bob", "silent"), range, RecentPosts.POSTS))
                    .isEqualTo(List.of(newest.subList(0, oldest + 1), List.of()));
        }
        assertThat(hasHead("bob")).isTrue();
    }

    @Test
    @DisplayName("are made for those that are missing, for pulled authors alone, and are kept for ten minutes")
    void made() {
        newest(20);
        assertThat(hasHead("bob")).isTrue();
        assertThat(hasHead("amy")).isTrue();
        assertThat(hasHead("silent")).isTrue();
        assertThat(hasHead("eve")).isFalse();
        assertThat(TestOutbox.commands().pttl(truth.ofAuthor("head", "bob"))).isBetween(540_000L, 600_000L);
    }

    @Test
    @DisplayName("cost one MGET, and nothing else, when they are there")
    void cheap() {
        List<String> authors =
                IntStream.range(0, 200).mapToObj(n -> "pulled-" + n).toList();
        truth.publish(authors.stream().map(author -> Post.of(author, "1", 1)).toList());
        pull(authors.toArray(String[]::new));
        List<List<Post>> first = outbox.newest(authors, PositionRange.ALL, RecentPosts.POSTS);
        long mgets = TestOutbox.calls("mget");
        long scripts = TestOutbox.calls("evalsha");
        long ranges = TestOutbox.calls("zrevrangebyscore");
        assertThat(outbox.newest(authors, PositionRange.ALL, RecentPosts.POSTS))
                .isEqualTo(first)
                .hasSize(200);
        assertThat(TestOutbox.calls("mget") - mgets).isEqualTo(1);
        assertThat(TestOutbox.calls("evalsha")).isEqualTo(scripts);
        assertThat(TestOutbox.calls("zrevrangebyscore")).isEqualTo(ranges);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, RecentPosts.POSTS - 2, RecentPosts.POSTS - 1, RecentPosts.POSTS, RecentPosts.POSTS + 1})
    @DisplayName("take in what an author posts next, whoever publishes it, and are not made again")
    void takeIn(int before) {
        RedisOutbox another = truth.another();
        byte[] head = truth.ofAuthor("head", "carol").getBytes(ISO_8859_1);
        byte[] takenIn = {};
        List<Post> carols = new ArrayList<>();
        pull("carol");
        for (int n = 0; n < before + 2 * RecentPosts.POSTS; n++) {
            if (n == before) {
                outbox.newest(List.of("carol"), PositionRange.ALL, RecentPosts.POSTS);
            }
            carols.add(0, Post.of("carol", id(n), 1_000 + n));
            another.append(List.of(new Publication(carols.get(0), FanoutMode.PULL)));
            takenIn = TestOutbox.bytes().get(head);
            if (n >= before) {
                assertThat(hasHead("carol")).isTrue();
                assertThat(outbox.newest(List.of("carol"), PositionRange.ALL, RecentPosts.POSTS))
                        .containsExactly(carols.subList(0, Math.min(carols.size(), RecentPosts.POSTS)));
            }
        }
        TestOutbox.bytes().del(head);
        outbox.newest(List.of("carol"), PositionRange.ALL, RecentPosts.POSTS);
        assertThat(takenIn).isEqualTo(TestOutbox.bytes().get(head));
    }

    @Test
    @DisplayName("are not kept for longer because they take in a post")
    void kept() {
        newest(1);
        TestOutbox.commands().pexpire(truth.ofAuthor("head", "bob"), 300_000);
        truth.publish(List.of(Post.of("bob", "newest", 5_000)));
        assertThat(TestOutbox.commands().pttl(truth.ofAuthor("head", "bob"))).isBetween(1L, 300_000L);
    }

    @Test
    @DisplayName("take in several posts that are published together, if they come in their order")
    void takeInSeveral() {
        List<String> authors = TestOutbox.authorsIn(TestOutbox.partition("bob"), 2);
        pull(authors.toArray(String[]::new));
        List<Post> rising = posts(authors.get(0), 1, 2, 3);
        List<Post> falling = posts(authors.get(1), 3, 2, 1);
        truth.publish(rising.subList(0, 1));
        outbox.newest(authors, PositionRange.ALL, RecentPosts.POSTS);
        List<Publication> all = Stream.of(rising, falling)
                .flatMap(List::stream)
                .map(post -> new Publication(post, FanoutMode.PUSH))
                .toList();
        assertThat(outbox.append(all)).extracting(Appended::status).startsWith(Status.SAME, Status.NEW);
        assertThat(hasHead(authors.get(0))).isTrue();
        assertThat(hasHead(authors.get(1))).isFalse();
        assertThat(outbox.newest(authors, PositionRange.ALL, RecentPosts.POSTS))
                .containsExactly(List.of(rising.get(2), rising.get(1), rising.get(0)), falling);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    @DisplayName("take in a post that is published together with one of an author who has none")
    void takeInOne(int which) {
        List<String> authors = TestOutbox.authorsIn(TestOutbox.partition("bob"), 2);
        pull(authors.toArray(String[]::new));
        List<String> one = List.of(authors.get(which));
        List<Post> posts = posts(authors.get(which), 1, 2);
        truth.publish(posts.subList(0, 1));
        outbox.newest(one, PositionRange.ALL, RecentPosts.POSTS);
        outbox.append(Stream.of(posts(authors.get(1 - which), 5), posts.subList(1, 2))
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Post::author))
                .map(post -> new Publication(post, FanoutMode.PUSH))
                .toList());
        assertThat(hasHead(authors.get(which))).isTrue();
        assertThat(hasHead(authors.get(1 - which))).isFalse();
        assertThat(outbox.newest(one, PositionRange.ALL, RecentPosts.POSTS))
                .containsExactly(List.of(posts.get(1), posts.get(0)));
    }

    private static List<Post> posts(String author, int... times) {
        return IntStream.of(times)
                .mapToObj(time -> Post.of(author, "at-" + time, time))
                .toList();
    }

    @Test
    @DisplayName("go with a post of the same moment as their newest, whose place among them is not known")
    void sameMoment() {
        newest(RecentPosts.POSTS);
        truth.publish(List.of(Post.of("bob", "~~~", bobs().get(0).publishedAt().toEpochMilli())));
        assertThat(hasHead("bob")).isFalse();
    }

    /**
     * Values that are no packed posts: another type, another version, too few bytes, too few posts, half a post, too
     * many posts.
     */
    private static Stream<String> noHeads() {
        String one = "\u0000".repeat(5) + "\u0001\u0001x";
        return Stream.of(
                "something else",
                "",
                "\u0002\u0000",
                "\u0003",
                "\u0003\u0001",
                "\u0003\u0001abcdef",
                "\u0003\u0002" + one,
                "\u0003\u0002" + one + one.substring(0, 7),
                "\u0003\u001b" + one.repeat(27),
                "\u0003\u00ff");
    }

    @ParameterizedTest
    @MethodSource("noHeads")
    @DisplayName("go with an append where something else is in their place")
    void foreignAtAppend(String other) {
        TestOutbox.bytes().set(truth.ofAuthor("head", "bob").getBytes(ISO_8859_1), other.getBytes(ISO_8859_1));
        truth.publish(List.of(Post.of("bob", "newest", 5_000)));
        assertThat(hasHead("bob")).isFalse();
    }

    @Test
    @DisplayName("go with an append where another type of key is in their place, and the post has its task")
    void foreignType() {
        String head = truth.ofAuthor("head", "bob");
        TestOutbox.commands().rpush(head, "no head");
        long before = outbox.fanout().queueStatus().unfinished();
        truth.publish(List.of(Post.of("bob", "newest", 5_000)));
        assertThat(hasHead("bob")).isFalse();
        assertThat(outbox.fanout().queueStatus().unfinished()).isEqualTo(before + 1);
    }

    @Test
    @DisplayName("go with an append of an older post and with a deletion, whoever makes it")
    void go() {
        RedisOutbox another = truth.another();
        newest(RecentPosts.POSTS);
        Post late = Post.of("bob", "late", 5);
        another.append(List.of(new Publication(late, FanoutMode.PULL)));
        assertThat(hasHead("bob")).isFalse();
        assertThat(newest(RecentPosts.POSTS)).isEqualTo(expected(RecentPosts.POSTS));
        Post top = expected(1).get(0).get(0);
        another.delete(List.of(top.key()));
        assertThat(hasHead("bob")).isFalse();
        assertThat(newest(RecentPosts.POSTS - 1).get(0))
                .isEqualTo(expected(RecentPosts.POSTS).get(0).subList(1, RecentPosts.POSTS));
    }

    @Test
    @DisplayName("stay where nothing changes: at a post published before, one deleted before, one of another author")
    void stay() {
        Post deleted = posts.get(3);
        outbox.delete(List.of(deleted.key()));
        newest(RecentPosts.POSTS);
        outbox.append(
                List.of(new Publication(posts.get(5), FanoutMode.PUSH), new Publication(deleted, FanoutMode.PUSH)));
        outbox.delete(List.of(deleted.key()));
        truth.publish(List.of(Post.of("amy", "a3", 3)));
        assertThat(hasHead("bob")).isTrue();
        assertThat(hasHead("amy")).isFalse();
    }

    @Test
    @DisplayName("are not asked about a part of an outbox, nor for more than they hold")
    void notForAll() {
        assertThat(newest(RecentPosts.POSTS + 1)).isEqualTo(expected(RecentPosts.POSTS + 1));
        PositionRange old = PositionRange.below(Position.of(bobs().get(67)));
        assertThat(outbox.newest(List.of("bob"), old, 5)).containsExactly(bobs().subList(68, 70));
        assertThat(hasHead("bob")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"something else", "\u0002", "\u0003", "\u0003\u001b", "\u0003\u00ff", ""})
    @DisplayName("are made anew where something else is in their place, or one of another version")
    void foreign(String other) {
        TestOutbox.bytes().set(truth.ofAuthor("head", "bob").getBytes(ISO_8859_1), other.getBytes(ISO_8859_1));
        assertThat(newest(RecentPosts.POSTS)).isEqualTo(expected(RecentPosts.POSTS));
    }
}

package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.oldestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static java.util.function.UnaryOperator.identity;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.testkit.internal.Samples;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages of a client that polls for new posts: behaviours 23, 28, 30 and 31. */
public abstract class NewerBehaviours extends FeedRules {

    private static final long TOP = Samples.EPOCH + 60_000;
    private static final int WINDOW = 120_000;

    /** Posts whose content the host does not have. */
    private final Set<Post> withoutContent = new HashSet<>();

    protected NewerBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    /** An engine on which ann, whose inbox is live, follows bob and cat. */
    private FeedEngine prepared(Policy policy) {
        FeedEngine engine = engine(policy);
        follow(engine, ANN, BOB, CAT);
        visit(engine, ANN);
        return engine;
    }

    /** A post that is {@code millis} milliseconds older than the newest one. */
    private static Post below(String author, String id, int millis) {
        return Post.of(author, id, TOP - millis);
    }

    private static Post top(FeedEngine engine) {
        Post top = below(BOB, "top", 0);
        publish(engine, top);
        return top;
    }

    /** A cursor after the round trip through a client: written as text and parsed again. */
    private static Cursor kept(Cursor cursor) {
        return Cursor.parse(cursor.toString());
    }

    private static FeedPage<Post> newer(FeedEngine engine, Cursor cursor) {
        return engine.read(ANN, PageRequest.newer(kept(cursor), ALL));
    }

    private static Cursor firstPage(FeedEngine engine) {
        return engine.read(ANN, PageRequest.first(ALL)).newer();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "23: newer than an empty feed are all posts from now on, and posts of the last minutes that arrive late")
    void newerThanEmpty(Policy policy) {
        FeedEngine engine = engine(policy);
        Post old = Post.of(BOB, "old", kit.now() - 180_000);
        publish(engine, old);
        Cursor cursor = firstPage(engine);
        follow(engine, ANN, BOB);
        assertThat(newer(engine, cursor).items()).isEmpty();
        Post late = Post.of(BOB, "late", kit.now() - 2_000);
        publish(engine, late);
        Post next = engine.publish(BOB, "next").post();
        engine.fanout().drain();
        FeedPage<Post> page = newer(engine, cursor);
        assertThat(page.items()).isEqualTo(newestFirst(List.of(late, next)));
        assertThat(newer(engine, page.newer()).items()).isEmpty();
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(List.of(old, late, next)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("23: the same holds for an author without posts, and an empty page does not move the cursor")
    void newerThanNoPosts(Policy policy) {
        FeedEngine engine = engine(policy);
        Cursor cursor = engine.readAuthor(BOB, PageRequest.first(ALL)).newer();
        engine.importPosts(List.of(Post.of(BOB, "old", kit.now() - 180_000)));
        FeedPage<Post> none = engine.readAuthor(BOB, PageRequest.newer(cursor, ALL));
        assertThat(none.items()).isEmpty();
        assertThat(none.newer()).isEqualTo(cursor);
        Post next = engine.publish(BOB, "next").post();
        assertThat(engine.readAuthor(BOB, PageRequest.newer(cursor, ALL)).items())
                .containsExactly(next);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("28: a push that arrives after newer posts were shown is shown once to a polling client")
    void latePush(Policy policy) {
        FeedEngine engine = prepared(policy);
        Post late = below(BOB, "late", 2_000);
        Post top = below(CAT, "top", 0);
        engine.publish(late);
        engine.usePolicy(Policy.PULL.fanout());
        engine.publish(top);
        FeedPage<Post> first = engine.read(ANN, PageRequest.first(ALL));
        FeedPage<Post> second = newer(engine, first.newer());
        engine.fanout().drain();
        FeedPage<Post> third = newer(engine, second.newer());
        FeedPage<Post> fourth = newer(engine, third.newer());
        List<Post> seen = new ArrayList<>();
        List.of(first, second, third, fourth).forEach(page -> seen.addAll(page.items()));
        assertThat(seen).containsExactlyInAnyOrder(late, top);
        assertThat(fourth.items()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "31: late posts are below the new ones, and the next older page begins below the last post of the page")
    void lateAndNew(Policy policy) {
        FeedEngine engine = prepared(policy);
        Post shown = below(CAT, "shown", 5_000);
        publish(engine, shown);
        Post top = top(engine);
        Cursor cursor = firstPage(engine);
        Post late = below(CAT, "late", 3_000);
        Post later = below(CAT, "later", 7_000);
        Post next = below(CAT, "next", -1);
        publish(engine, late, later, next);
        FeedPage<Post> page = newer(engine, cursor);
        assertThat(page.items()).containsExactly(next, late, later);
        assertThat(page.moreNewer()).isFalse();
        assertThat(page.older()).isPresent();
        assertThat(engine.read(ANN, PageRequest.older(page.older().orElseThrow(), ALL))
                        .items())
                .isEmpty();
        assertThat(newer(engine, page.newer()).items()).isEmpty();
        assertThat(newer(engine, cursor).items()).as("the same page again").isEqualTo(page.items());
        assertThat(feed(engine, ANN)).containsExactly(next, top, late, shown, later);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("31: a post that arrives more than two minutes late is found by the next first page")
    void window(Policy policy) {
        FeedEngine engine = prepared(policy);
        Post top = top(engine);
        Cursor cursor = firstPage(engine);
        Post within = below(CAT, "within", WINDOW);
        Post beyond = below(CAT, "beyond", WINDOW + 1);
        publish(engine, within, beyond);
        assertThat(newer(engine, cursor).items()).containsExactly(within);
        assertThat(feed(engine, ANN)).containsExactly(top, within, beyond);
    }

    @Test
    @DisplayName("31: late posts are shown only if they are above the lowest post that the cursor lists")
    void fullList() {
        FeedEngine engine = prepared(Policy.PUSH);
        publish(engine, posts(BOB, 80));
        Cursor cursor = firstPage(engine);
        publish(engine, post(CAT, 10), post(CAT, 30), post(CAT, 70));
        FeedPage<Post> page = newer(engine, cursor);
        assertThat(page.items()).containsExactly(post(CAT, 70), post(CAT, 30));
        publish(engine, Post.of(CAT, "late", Samples.EPOCH + 21), post(CAT, 25));
        assertThat(newer(engine, page.newer()).items()).containsExactly(post(CAT, 25));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "31: if more posts of one time exist than fit into the cursor, none is shown twice, and most new ones are"
                    + " shown")
    void oneTime(Policy policy) {
        FeedEngine engine = prepared(policy);
        List<Post> shown = new ArrayList<>(
                IntStream.range(0, 100).mapToObj(n -> below(BOB, "same" + n, 0)).toList());
        publish(engine, shown);
        Cursor cursor = firstPage(engine);
        Post highest = below(CAT, "zzz", 0);
        List<Post> late = new ArrayList<>(
                IntStream.range(0, 50).mapToObj(n -> below(CAT, "late" + n, 0)).toList());
        late.add(highest);
        publish(engine, late);
        FeedPage<Post> page = newer(engine, cursor);
        assertThat(page.items())
                .contains(highest)
                .doesNotContainAnyElementsOf(shown)
                .hasSizeGreaterThan(35);
        shown.addAll(page.items());
        Post next = below(CAT, "zzzz", 0);
        publish(engine, next);
        assertThat(newer(engine, page.newer()).items()).contains(next).doesNotContainAnyElementsOf(shown);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("31: no post below the first page is treated as a late post")
    void belowFirstPage(Policy policy) {
        FeedEngine engine = prepared(policy);
        publish(engine, posts(BOB, 10));
        FeedPage<Post> page = engine.read(ANN, PageRequest.first(3));
        assertThat(newer(engine, page.newer()).items()).isEmpty();
        publish(engine, post(CAT, 7), post(CAT, 9));
        assertThat(newer(engine, page.newer()).items()).containsExactly(post(CAT, 9));
        FeedPage<Post> older = engine.read(ANN, PageRequest.older(page.older().orElseThrow(), ALL));
        assertThat(older.items()).hasSize(8).startsWith(post(CAT, 7));
        assertThat(newer(engine, older.newer()).items())
                .as("above the second page")
                .containsExactly(post(BOB, 10), post(CAT, 9), post(BOB, 9), post(BOB, 8));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("31: many late posts on small pages are each shown once, and no new one is left out")
    void smallPages(Policy policy) {
        FeedEngine engine = prepared(policy);
        top(engine);
        Cursor cursor = firstPage(engine);
        List<Post> late = IntStream.range(0, 7)
                .mapToObj(n -> below(CAT, "late" + n, 1 + n / 2))
                .toList();
        List<Post> news =
                IntStream.range(0, 7).mapToObj(n -> below(CAT, "new" + n, -n)).toList();
        publish(engine, late);
        publish(engine, news);
        List<Post> expected = new ArrayList<>(late);
        expected.addAll(news);
        // As a position, "new0" is below "top", and so another late one.
        for (int limit = 1; limit <= 5; limit++) {
            assertThat(climb(engine, ANN, cursor, limit))
                    .as("pages of %d", limit)
                    .isEqualTo(oldestFirst(expected));
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("28, 31: a polling client sees every post once, whatever order posts arrive in within seconds")
    void polling(Policy policy) {
        FeedEngine engine = prepared(policy);
        Random random = new Random(policy.name().hashCode());
        List<Post> published = new ArrayList<>();
        List<Post> seen = new ArrayList<>();
        Cursor cursor = Samples.bottom();
        for (int round = 0; round < 60; round++) {
            Post next = Post.of(
                    random.nextBoolean() ? BOB : CAT, "p" + round, TOP + round * 700L - random.nextInt(5) * 1_000L);
            publish(engine, next);
            published.add(next);
            FeedPage<Post> page = engine.read(ANN, PageRequest.newer(kept(cursor), 1 + random.nextInt(3)));
            seen.addAll(page.items());
            cursor = page.newer();
        }
        seen.addAll(climb(engine, ANN, cursor, 2));
        assertThat(seen).containsExactlyInAnyOrderElementsOf(published);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "25, 31: after a page that stops among hidden posts below the cursor, the next pages reach the new posts")
    void hiddenBelow(Policy policy) {
        FeedEngine engine = hiding(policy, 3);
        publish(engine, posts(CAT, 5));
        Post top = Post.of(BOB, "top", Samples.EPOCH + 1_000);
        publish(engine, top);
        Cursor cursor = firstPage(engine);
        publish(
                engine,
                IntStream.range(0, 40)
                        .mapToObj(n -> Post.of(CAT, "hidden" + n, Samples.EPOCH + 10 + n / 8))
                        .toList());
        Post late = Post.of(CAT, "late", Samples.EPOCH + 1);
        List<Post> news = IntStream.range(1, 9)
                .mapToObj(n -> Post.of(CAT, "new" + n, Samples.EPOCH + 1_000 + n))
                .toList();
        publish(engine, late);
        publish(engine, news);
        List<Post> expected = new ArrayList<>(List.of(late));
        expected.addAll(news);
        for (int limit = 1; limit <= 5; limit++) {
            assertThat(climb(engine, ANN, cursor, limit))
                    .as("pages of %d", limit)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("25, 31: posts that were shown do not count towards the scan limit of a page")
    void shownBelow(Policy policy) {
        FeedEngine engine = hiding(policy, 10);
        publish(engine, posts(BOB, 16));
        Cursor cursor = firstPage(engine);
        publish(
                engine,
                IntStream.range(17, 22)
                        .mapToObj(n -> Post.of(CAT, "hidden" + n, Samples.EPOCH + n))
                        .toList());
        Post next = Post.of(CAT, "next", Samples.EPOCH + 30);
        publish(engine, next);
        assertThat(engine.read(ANN, PageRequest.newer(cursor, 1)).items()).containsExactly(next);
    }

    /** An engine on which ann follows bob and cat, and does not see posts whose ids begin with hidden. */
    private FeedEngine hiding(Policy policy, int maxScannedPerPage) {
        FeedEngine engine = open(builder(policy)
                .reading(reading -> reading.maxScannedPerPage(maxScannedPerPage))
                .filter((reader, posts) -> posts.stream()
                        .filter(post -> !post.id().startsWith("hidden"))
                        .toList()));
        follow(engine, ANN, BOB, CAT);
        visit(engine, ANN);
        return engine;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "31: posts of an author who is followed again are not repeated; those of a new followee are late posts")
    void followedAgain(Policy policy) {
        FeedEngine engine = prepared(policy);
        publish(engine, below(DAN, "news", 1_000), below(DAN, "old", WINDOW + 1));
        top(engine);
        Cursor cursor = firstPage(engine);
        engine.unfollow(ANN, BOB);
        assertThat(newer(engine, cursor).items()).isEmpty();
        engine.follow(ANN, BOB);
        engine.follow(ANN, DAN);
        FeedPage<Post> page = newer(engine, cursor);
        assertThat(page.items()).containsExactly(below(DAN, "news", 1_000));
        assertThat(newer(engine, page.newer()).items()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("31, 45: a post whose content arrives late is shown once")
    void lateContent(Policy policy) {
        FeedEngine engine = prepared(policy);
        Post shown = below(CAT, "shown", 1_000);
        Post empty = below(CAT, "empty", 500);
        publish(engine, shown, empty);
        Post top = top(engine);
        withoutContent.add(empty);
        var page = engine.read(ANN, PageRequest.first(ALL), this::load);
        assertThat(page.items()).containsExactly(top, shown);
        withoutContent.clear();
        var next = engine.read(ANN, PageRequest.newer(kept(page.newer()), ALL), this::load);
        assertThat(next.items()).containsExactly(empty);
        var last = engine.read(ANN, PageRequest.newer(kept(next.newer()), ALL), this::load);
        assertThat(last.items()).isEmpty();
    }

    private Map<Post, Post> load(List<Post> posts) {
        return posts.stream()
                .filter(post -> !withoutContent.contains(post))
                .collect(Collectors.toMap(identity(), identity()));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "31: a post that an author publishes with an earlier time is shown once by a newer page of that author")
    void author(Policy policy) {
        FeedEngine engine = engine(policy);
        publish(engine, posts(BOB, 20));
        Cursor cursor = kept(engine.readAuthor(BOB, PageRequest.first(ALL)).newer());
        List<Post> late = IntStream.of(4, 6, 20)
                .mapToObj(n -> Post.of(BOB, "late" + n, Samples.EPOCH + n))
                .toList();
        publish(engine, late);
        publish(engine, post(BOB, 21), post(BOB, 22));
        List<Post> seen = new ArrayList<>();
        for (FeedPage<Post> page = engine.readAuthor(BOB, PageRequest.newer(cursor, 2)); ; ) {
            assertThat(page.items()).hasSizeLessThanOrEqualTo(2);
            seen.addAll(oldestFirst(page.items()));
            assertThat(seen).hasSizeLessThan(10);
            if (!page.moreNewer()) {
                break;
            }
            page = engine.readAuthor(BOB, PageRequest.newer(kept(page.newer()), 2));
        }
        assertThat(seen).containsExactly(late.get(0), late.get(1), late.get(2), post(BOB, 21), post(BOB, 22));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("30: only newer looks for late posts, not atOrNewer; for older and atOrOlder they are ordinary posts")
    void onlyNewer(Policy policy) {
        FeedEngine engine = prepared(policy);
        Post shown = below(CAT, "shown", 2_000);
        publish(engine, shown);
        Post top = top(engine);
        Cursor cursor = kept(firstPage(engine));
        Post late = below(CAT, "late", 1_000);
        publish(engine, late);
        FeedPage<Post> page = engine.read(ANN, PageRequest.atOrNewer(cursor, ALL));
        assertThat(page.items()).containsExactly(top);
        assertThat(newer(engine, page.newer()).items()).as("the next page").containsExactly(late);
        assertThat(engine.read(ANN, PageRequest.older(cursor, ALL)).items()).containsExactly(late, shown);
        assertThat(engine.read(ANN, PageRequest.atOrOlder(cursor, ALL)).items()).containsExactly(top, late, shown);
    }
}

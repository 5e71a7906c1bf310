package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.rank.RankCursor;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.RankedPage;
import io.feedkit.rank.Ranker;
import io.feedkit.rank.Rankers;
import io.feedkit.rank.SnapshotExpiredException;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.testkit.internal.Race;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranked pages: a walk keeps the order of its first page, and leaves out at once what may not be shown any more. */
public abstract class RankBehaviours extends FeedRules {

    private static final Duration AGE = Duration.ofMinutes(30);
    private static final int POSTS = 15;

    /** Unlike the order of time, and without ties. */
    private static final Comparator<Post> RANK =
            Comparator.<Post, Double>comparing(RankBehaviours::weight).reversed();

    private static final Ranker RANKER = (posts, context) ->
            posts.stream().mapToDouble(RankBehaviours::weight).toArray();

    private final Set<Post> hidden = new HashSet<>();

    protected RankBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    private static double weight(Post post) {
        int n = Integer.parseInt(post.id().substring(1));
        return n * 7919 % 1009 + (post.author().equals(BOB) ? 0.5 : 0);
    }

    private FeedEngine prepared(Policy policy) {
        FeedEngine engine = another(policy);
        follow(engine, ANN, BOB, CAT);
        follow(engine, DAN, BOB);
        follow(engine, ZOE, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, POSTS));
        publish(engine, posts(CAT, POSTS));
        return engine;
    }

    private FeedEngine another(Policy policy) {
        return open(builder(policy)
                .filter((reader, posts) ->
                        posts.stream().filter(post -> !hidden.contains(post)).toList()));
    }

    /** All posts of the feed, as they are ranked. */
    private static List<Post> ranked() {
        return Stream.concat(posts(BOB, POSTS).stream(), posts(CAT, POSTS).stream())
                .sorted(RANK)
                .toList();
    }

    private static List<Post> without(List<Post> posts, Set<Post> gone) {
        return posts.stream().filter(post -> !gone.contains(post)).toList();
    }

    private static RankedPage<Post> top(FeedEngine engine, int candidates, int limit) {
        return engine.ranked(ANN, RankRequest.top(candidates, limit), RANKER);
    }

    private static RankedPage<Post> after(FeedEngine engine, RankedPage<?> page, int limit) {
        return engine.ranked(ANN, RankRequest.after(page.next().orElseThrow(), limit), RANKER);
    }

    private static List<Post> walked(FeedEngine engine, int candidates, int limit) {
        RankedPage<Post> page = top(engine, candidates, limit);
        List<Post> walked = new ArrayList<>(page.items());
        for (int pages = 1; page.next().isPresent(); pages++) {
            assertThat(pages).as("pages of a walk").isLessThan(10_000);
            page = after(engine, page, limit);
            walked.addAll(page.items());
        }
        return walked;
    }

    private static void assertGone(FeedEngine engine, String reader, Optional<RankCursor> cursor) {
        RankRequest request = RankRequest.after(cursor.orElseThrow(), 5);
        assertThatThrownBy(() -> engine.ranked(reader, request, RANKER)).isInstanceOf(SnapshotExpiredException.class);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a walk shows the newest posts by their scores, each once, whatever the size of its pages")
    void order(Policy policy) {
        FeedEngine engine = prepared(policy);
        for (int limit : List.of(1, 7, 29, 30, ALL)) {
            assertThat(walked(engine, ALL, limit)).as("pages of %d", limit).isEqualTo(ranked());
        }
        List<Post> newest = feed(engine, ANN).subList(0, 10);
        assertThat(walked(engine, 10, 3)).isEqualTo(newest.stream().sorted(RANK).toList());
        assertThat(engine.ranked(ANN, RankRequest.top(ALL, ALL), Rankers.newest())
                        .items())
                .as("equal scores")
                .isEqualTo(feed(engine, ANN));
        assertThat(engine.ranked(YAN, RankRequest.top(ALL, ALL), RANKER).items())
                .as("an empty feed")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a walk below the inbox, and one without an inbox, shows the same posts")
    void belowTheInbox(Policy policy) {
        prepared(policy);
        FeedEngine small = engine(policy, 10);
        small.rebuild(ANN);
        assertThat(walked(small, ALL, 4)).isEqualTo(ranked());
        store.inbox(new InboxLimits(10, AGE.toMillis())).drop(List.of(ANN));
        assertThat(walked(small, ALL, 4)).isEqualTo(ranked());
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a walk keeps its posts and their order while posts are published, and new posts are not part of it")
    void published(Policy policy) {
        FeedEngine engine = prepared(policy);
        RankedPage<Post> page = top(engine, ALL, 4);
        List<Post> walked = new ArrayList<>(page.items());
        for (int n = 100; page.next().isPresent(); n++) {
            publish(engine, post(BOB, n), post(CAT, n));
            page = after(engine, page, 4);
            walked.addAll(page.items());
        }
        assertThat(walked).isEqualTo(ranked());
        assertThat(walked(engine, ALL, 4)).hasSizeGreaterThan(ranked().size());
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("deleted, hidden and unfollowed posts drop out of a walk at once, on every engine, and pages fill up")
    void dropped(Policy policy) {
        FeedEngine engine = prepared(policy);
        FeedEngine other = another(policy);
        FeedEngine walking = store.rankSnapshots().isPresent() ? other : engine;
        List<Post> ranked = ranked();
        RankedPage<Post> page = top(engine, ALL, 5);
        assertThat(page.items()).isEqualTo(ranked.subList(0, 5));
        for (Post post : ranked.subList(4, 8)) {
            other.delete(post.author(), post.id());
        }
        page = after(walking, page, 5);
        assertThat(page.items()).isEqualTo(ranked.subList(8, 13));
        hidden.addAll(ranked.subList(13, 15));
        page = after(engine, page, 5);
        assertThat(page.items()).isEqualTo(ranked.subList(15, 20));
        engine.unfollow(ANN, CAT);
        List<Post> left = ranked.subList(20, ranked.size()).stream()
                .filter(post -> post.author().equals(BOB))
                .toList();
        page = after(walking, page, 2);
        assertThat(page.items()).isEqualTo(left.subList(0, 2));
        other.unfollow(ANN, BOB);
        page = after(engine, page, 2);
        assertThat(page.items()).isEmpty();
        assertThat(page.next()).isEmpty();
        other.fanout().drain();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a delete or an unfollow right before a page asks for its posts drops them from the page")
    void droppedMeanwhile(Policy policy) {
        FeedEngine engine = prepared(policy);
        List<Post> ranked = ranked();
        RankedPage<Post> page = top(engine, ALL, 5);
        store.before(
                "outbox.existing",
                () -> engine.delete(ranked.get(5).author(), ranked.get(5).id()));
        assertThat(after(engine, page, 5).items()).isEqualTo(ranked.subList(6, 11));
        store.before("graph.followed", () -> engine.unfollow(ANN, CAT));
        assertThat(after(engine, page, ALL).items())
                .isEqualTo(without(ranked.subList(5, ranked.size()), Set.of(ranked.get(5))).stream()
                        .filter(post -> post.author().equals(BOB))
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("posts without content drop out, and pages fill up from the walk's order")
    void content(Policy policy) {
        FeedEngine engine = prepared(policy);
        List<Post> ranked = ranked();
        Set<Post> gone = new HashSet<>(ranked.subList(3, 9));
        RankedPage<Post> page =
                engine.ranked(ANN, RankRequest.top(ALL, 6), RANKER, posts -> content(without(posts, gone)));
        assertThat(page.items()).isEqualTo(without(ranked, gone).subList(0, 6));
        gone.addAll(ranked.subList(12, 20));
        page = engine.ranked(
                ANN, RankRequest.after(page.next().orElseThrow(), ALL), RANKER, posts -> content(without(posts, gone)));
        assertThat(page.items()).isEqualTo(ranked.subList(20, ranked.size()));
        assertThat(page.next()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "two walks of a reader, and those of other readers, do not affect each other; a page may be read again")
    void twoWalks(Policy policy) {
        FeedEngine engine = prepared(policy);
        RankedPage<Post> one = top(engine, ALL, 5);
        RankedPage<Post> other = engine.ranked(
                ANN,
                RankRequest.top(ALL, 5),
                (posts, context) ->
                        posts.stream().mapToDouble(post -> -weight(post)).toArray());
        RankedPage<Post> dans = engine.ranked(DAN, RankRequest.top(ALL, 5), RANKER);
        List<Post> ranked = ranked();
        for (int i = 0; i < 2; i++) {
            assertThat(after(engine, one, 5).items()).isEqualTo(ranked.subList(5, 10));
            assertThat(after(engine, other, 5).items())
                    .isEqualTo(reversed(ranked).subList(5, 10));
            assertThat(engine.ranked(DAN, RankRequest.after(dans.next().orElseThrow(), ALL), RANKER)
                            .items())
                    .isEqualTo(posts(BOB, POSTS).stream().sorted(RANK).skip(5).toList());
        }
        assertGone(engine, DAN, one.next());
        assertGone(engine, ANN, dans.next());
    }

    @Test
    @DisplayName("a walk whose order has expired ends with a typed exception, and a new one begins")
    void expired() {
        FeedEngine engine = open(builder(Policy.PUSH).reading(reading -> reading.rankSnapshotAge(kit.shortTime())));
        follow(engine, ANN, BOB);
        publish(engine, posts(BOB, POSTS));
        RankedPage<Post> page = top(engine, ALL, 5);
        assertThat(after(engine, page, 5).items()).hasSize(5);
        kit.outlast();
        assertGone(engine, ANN, page.next());
        assertThat(after(engine, top(engine, ALL, 5), 5).items()).hasSize(5);
    }

    @Test
    @DisplayName("the latest eight walks of a reader continue; forgetting a reader ends all of them")
    void latest() {
        FeedEngine engine = prepared(Policy.PUSH);
        List<RankedPage<Post>> walks = new ArrayList<>();
        for (int i = 0; i <= RankSnapshots.KEPT; i++) {
            walks.add(top(engine, ALL, 5));
            kit.tick();
        }
        assertGone(engine, ANN, walks.get(0).next());
        walks.subList(1, walks.size())
                .forEach(page -> assertThat(after(engine, page, 5).items()).isEqualTo(ranked().subList(5, 10)));
        engine.forget(ANN);
        walks.forEach(page -> assertGone(engine, ANN, page.next()));
    }

    @Test
    @Tag("concurrency")
    @DisplayName("concurrent walks of one reader and of others, beside publishes and deletes, keep to their orders")
    void concurrent() {
        FeedEngine engine = prepared(Policy.HYBRID);
        List<Post> others = newestFirst(posts(YAN, 200)).subList(0, 100);
        follow(engine, ANN, YAN);
        follow(engine, DAN, YAN);
        publish(engine, others);
        Race.run(8, thread -> {
            if (thread == 0) {
                for (Post post : others.subList(0, 50)) {
                    engine.delete(post.author(), post.id());
                    publish(
                            engine,
                            Post.of(
                                    YAN,
                                    "q" + post.id().substring(1),
                                    post.publishedAt().toEpochMilli() + 1));
                }
                return true;
            }
            String reader = thread % 2 == 0 ? ANN : DAN;
            for (int round = 0; round < 2; round++) { // No reader begins more walks than are kept.
                RankedPage<Post> page = engine.ranked(reader, RankRequest.top(100, 9), RANKER);
                List<Post> walked = new ArrayList<>(page.items());
                while (page.next().isPresent()) {
                    page = engine.ranked(reader, RankRequest.after(page.next().get(), 9), RANKER);
                    walked.addAll(page.items());
                }
                assertThat(walked).doesNotHaveDuplicates().hasSizeGreaterThan(30);
                assertThat(walked.stream().map(RankBehaviours::weight)).isSortedAccordingTo(Comparator.reverseOrder());
            }
            return true;
        });
    }
}

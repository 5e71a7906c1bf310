package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.InvalidRequestException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.spi.Inbox.State;
import io.feedkit.testkit.internal.Samples;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Pages from places that the host chooses, pages between two places, pages of authors that the host names, and the seen
 * mark.
 */
public abstract class RequestBehaviours extends FeedRules {

    private static final int CAP = 10;
    private static final int PAGE = 7;

    protected RequestBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    /** Ann follows bob and cat, but not dan. Each has posts at every millisecond, more than fit into the inbox. */
    private FeedEngine prepared(Policy policy, int count) {
        FeedEngine engine = open(builder(policy).cap(CAP));
        follow(engine, ANN, BOB, CAT);
        visit(engine, ANN);
        List.of(BOB, CAT, DAN).forEach(author -> publish(engine, posts(author, count)));
        return engine;
    }

    private static List<Post> union(int count, String... authors) {
        List<Post> all = new ArrayList<>();
        for (String author : authors) {
            all.addAll(posts(author, count));
        }
        return newestFirst(all);
    }

    private static FeedPage<Post> read(FeedEngine engine, PageRequest request) {
        return engine.read(ANN, request);
    }

    /** All pages of a walk downwards, from the top or from a page. */
    private static List<Post> down(FeedEngine engine, PageRequest first, UnaryOperator<PageRequest> others) {
        FeedPage<Post> page = read(engine, first);
        List<Post> seen = new ArrayList<>(page.items());
        for (Optional<Cursor> older = page.older(); older.isPresent(); older = page.older()) {
            page = read(engine, others.apply(PageRequest.older(older.get(), PAGE)));
            seen.addAll(page.items());
        }
        return seen;
    }

    /** All pages of a walk upwards, newest first. */
    private static List<Post> up(FeedEngine engine, Cursor from, UnaryOperator<PageRequest> others) {
        List<Post> seen = new ArrayList<>();
        FeedPage<Post> page;
        Cursor next = from;
        do {
            page = read(engine, others.apply(PageRequest.newer(next, PAGE)));
            seen.addAll(0, page.items());
            next = page.newer();
        } while (page.moreNewer());
        return seen;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a cursor of a post or of a time pages from there, also if no such post exists")
    void places(Policy policy) {
        FeedEngine engine = prepared(policy, 20);
        List<Post> feed = union(20, BOB, CAT);
        Post tenth = feed.get(9);
        assertThat(read(engine, PageRequest.older(Cursor.of(tenth), ALL)).items())
                .isEqualTo(feed.subList(10, 40));
        assertThat(read(engine, PageRequest.atOrOlder(Cursor.of(tenth), 3)).items())
                .isEqualTo(feed.subList(9, 12));
        assertThat(read(engine, PageRequest.newer(Cursor.of(tenth), ALL)).items())
                .isEqualTo(feed.subList(0, 9));
        Instant time = post(BOB, 5).publishedAt();
        assertThat(read(engine, PageRequest.older(Cursor.at(time), ALL)).items())
                .isEqualTo(union(4, BOB, CAT));
        assertThat(read(engine, PageRequest.newer(Cursor.at(time.plusNanos(1)), ALL))
                        .items())
                .isEqualTo(feed.subList(0, 32));
        assertThat(Cursor.parse(Cursor.at(time).toString())).isEqualTo(Cursor.at(time));
        assertThatThrownBy(() -> Cursor.at(Post.EARLIEST.minusMillis(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .isNotInstanceOf(InvalidRequestException.class);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("the pages between two cursors fill a gap, downwards and upwards, and end at it")
    void between(Policy policy) {
        FeedEngine engine = prepared(policy, 20);
        List<Post> feed = union(20, BOB, CAT);
        Cursor above = Cursor.of(feed.get(4));
        Cursor below = Cursor.of(feed.get(34));
        List<Post> gap = feed.subList(5, 34);
        assertThat(down(engine, PageRequest.older(above, PAGE).until(below), request -> request.until(below)))
                .isEqualTo(gap);
        assertThat(up(engine, below, request -> request.until(above))).isEqualTo(gap);
        assertThat(read(engine, PageRequest.older(above, 29).until(below)).older())
                .isEmpty();
        assertThat(read(engine, PageRequest.newer(below, 29).until(above)).moreNewer())
                .isFalse();
        assertThat(read(engine, PageRequest.first(ALL).until(below)).items()).isEqualTo(feed.subList(0, 34));
        FeedPage<Post> none = read(engine, PageRequest.older(above, PAGE).until(above));
        assertThat(none.items()).isEmpty();
        assertThat(none.older()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a page that ends at a cursor does not show again what lies below it")
    void newerThanAPart(Policy policy) {
        FeedEngine engine = prepared(policy, 20);
        FeedPage<Post> top = read(engine, PageRequest.first(ALL).until(Cursor.of(post(BOB, 15))));
        publish(engine, post(BOB, 30));
        assertThat(read(engine, PageRequest.newer(top.newer(), ALL)).items()).containsExactly(post(BOB, 30));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("the seen mark is read back as a cursor, and can be set lower")
    void mark(Policy policy) {
        FeedEngine engine = prepared(policy, 10);
        assertThat(engine.seenMark(ANN)).isEmpty();
        Post seen = post(CAT, 6);
        engine.markSeen(ANN, Cursor.of(seen));
        assertThat(read(engine, PageRequest.newer(engine.seenMark(ANN).orElseThrow(), ALL))
                        .items())
                .isEqualTo(union(10, BOB, CAT).subList(0, 8));
        assertThat(engine.unread(ANN).count()).isEqualTo(8);
        engine.resetSeen(ANN, Cursor.of(post(CAT, 2)));
        assertThat(engine.seenMark(ANN)).contains(Cursor.of(post(CAT, 2)));
        assertThat(engine.unread(ANN).count()).isEqualTo(16);
        engine.markSeen(ANN, Cursor.of(seen));
        assertThat(engine.unread(ANN).count()).isEqualTo(8);
        engine.markSeen(List.of(ANN, ZOE, ANN), Cursor.of(post(BOB, 9)));
        assertThat(engine.unread(ANN).count()).isEqualTo(3);
        assertThat(engine.seenMark(ZOE)).contains(Cursor.of(post(BOB, 9)));
        engine.resetSeen(ANN, Cursor.at(Post.EARLIEST));
        assertThat(engine.unread(ANN).count()).isEqualTo(20);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("the count of newer posts equals the number of posts on the newer page")
    void countNewer(Policy policy) {
        FeedEngine engine = prepared(policy, 20);
        engine.markSeen(ANN, Cursor.of(post(CAT, 20)));
        for (int n : new int[] {1, 10, 19, 20}) {
            Cursor cursor = Cursor.of(post(BOB, n));
            assertThat(engine.countNewer(ANN, cursor).count())
                    .isEqualTo(
                            read(engine, PageRequest.newer(cursor, ALL)).items().size());
        }
        assertThat(engine.unread(ANN).count()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a page of a list shows its authors' posts, followed or not, and creates no inbox")
    void list(Policy policy) {
        FeedEngine engine = prepared(policy, 20);
        engine.delete(DAN, post(DAN, 7).id());
        List<Post> list = new ArrayList<>(union(20, BOB, DAN));
        list.remove(post(DAN, 7));
        for (String reader : List.of(ANN, ZOE)) {
            FeedPage<Post> page = engine.read(reader, PageRequest.first(ALL).from(Set.of(BOB, DAN)));
            assertThat(page.items()).isEqualTo(list);
            assertThat(page.older()).isEmpty();
        }
        UnaryOperator<PageRequest> ofList = request -> request.from(Set.of(BOB, DAN));
        assertThat(down(engine, ofList.apply(PageRequest.first(PAGE)), ofList)).isEqualTo(list);
        assertThat(up(engine, Samples.bottom(), ofList)).isEqualTo(list);
        assertThat(engine.read(ZOE, PageRequest.first(5).from(Set.of())).items())
                .isEmpty();
        assertThat(slice(ZOE).state()).isEqualTo(State.ABSENT);
        assertThat(engine.isFollowing(ZOE, DAN)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a page of a list has the reader's filter and content, and is filled with further posts")
    void listWithContent(Policy policy) {
        FeedEngine engine = open(builder(policy)
                .filter((reader, posts) ->
                        posts.stream().filter(post -> !post.id().endsWith("3")).toList()));
        publish(engine, posts(DAN, 20));
        FeedPage<String> page = engine.read(ZOE, PageRequest.first(3).from(Set.of(DAN)), RequestBehaviours::oddOnly);
        assertThat(page.items()).containsExactly("p0019", "p0017", "p0015");
        FeedPage<String> next = engine.read(
                ZOE, PageRequest.older(page.older().orElseThrow(), ALL).from(Set.of(DAN)), RequestBehaviours::oddOnly);
        assertThat(next.items()).containsExactly("p0011", "p0009", "p0007", "p0005", "p0001");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("further authors are merged into the feed, each post once, downwards and upwards")
    void further(Policy policy) {
        FeedEngine engine = prepared(policy, 20);
        List<Post> all = union(20, BOB, CAT, DAN);
        UnaryOperator<PageRequest> withDan = request -> request.and(Set.of(DAN, BOB));
        assertThat(down(engine, withDan.apply(PageRequest.first(PAGE)), withDan))
                .isEqualTo(all);
        assertThat(up(engine, Samples.bottom(), withDan)).isEqualTo(all);
        assertThat(engine.read(YAN, PageRequest.first(ALL).and(Set.of(DAN))).items())
                .isEqualTo(union(20, DAN));
        assertThat(read(engine, PageRequest.first(ALL).and(Set.of(DAN)).from(Set.of(CAT)))
                        .items())
                .isEqualTo(union(20, CAT, DAN));
        assertThat(feed(engine, ANN)).isEqualTo(union(20, BOB, CAT));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a post shown by a page of a list, or by one with further authors, is on every later page and in every"
            + " count")
    void shownOnce(Policy policy) {
        FeedEngine engine = open(builder(policy));
        follow(engine, ANN, BOB, CAT);
        visit(engine, ANN);
        engine.publish(post(BOB, 1));
        engine.publish(post(CAT, 1));
        assertThat(read(engine, PageRequest.first(ALL).from(Set.of(BOB))).items())
                .containsExactly(post(BOB, 1));
        assertThat(feed(engine, ANN)).contains(post(BOB, 1));
        assertThat(read(engine, PageRequest.first(ALL).and(Set.of(CAT))).items())
                .isEqualTo(union(1, BOB, CAT));
        assertThat(feed(engine, ANN)).isEqualTo(union(1, BOB, CAT));
        assertThat(engine.unread(ANN).count()).isEqualTo(2);
        engine.fanout().drain();
        assertThat(feed(engine, ANN)).isEqualTo(union(1, BOB, CAT));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("a page with further authors that scans too many posts stops at the limit, and its cursor continues")
    void furtherWithFilter(Policy policy) {
        FeedEngine engine = open(builder(policy)
                .reading(reading -> reading.maxScannedPerPage(20))
                .filter((reader, posts) ->
                        posts.stream().filter(post -> post.id().equals("p0001")).toList()));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, 100));
        publish(engine, posts(DAN, 100));
        UnaryOperator<PageRequest> withDan = request -> request.and(Set.of(DAN));
        assertThat(read(engine, withDan.apply(PageRequest.first(PAGE))).items()).isEmpty();
        assertThat(down(engine, withDan.apply(PageRequest.first(PAGE)), withDan))
                .isEqualTo(union(1, BOB, DAN));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("an author's page with content leaves out posts without content, and is filled with further posts")
    void authorWithContent(Policy policy) {
        FeedEngine engine = prepared(policy, 20);
        FeedPage<String> page = engine.readAuthor(DAN, PageRequest.first(3), RequestBehaviours::oddOnly);
        assertThat(page.items()).containsExactly("p0019", "p0017", "p0015");
        FeedPage<String> next =
                engine.readAuthor(DAN, PageRequest.older(page.older().orElseThrow(), ALL), RequestBehaviours::oddOnly);
        assertThat(next.items()).hasSize(7).startsWith("p0013").endsWith("p0001");
        assertThat(next.older()).isEmpty();
        assertThat(engine.readAuthor(DAN, PageRequest.first(ALL)).items()).isEqualTo(union(20, DAN));
    }

    private static Map<Post, String> oddOnly(List<Post> posts) {
        return posts.stream()
                .filter(post -> (post.id().charAt(4) - '0') % 2 == 1)
                .collect(Collectors.toMap(post -> post, Post::id));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "an invalid request of a client is refused with its own exception, which differs from that for mistakes of"
                    + " the host")
    void refused(Policy policy) {
        FeedEngine engine = engine(policy);
        for (int limit : new int[] {0, -1, ALL + 1}) {
            assertThatThrownBy(() -> PageRequest.first(limit))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("limit");
        }
        assertThatThrownBy(() -> Cursor.parse("zzz"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("is not a cursor");
        Collection<String> many = IntStream.rangeClosed(0, PageRequest.MAX_AUTHORS)
                .mapToObj(i -> "a" + i)
                .toList();
        PageRequest first = PageRequest.first(1);
        assertThatThrownBy(() -> first.from(many)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> first.and(Set.of("two words")))
                .isInstanceOf(IllegalArgumentException.class)
                .isNotInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> engine.readAuthor(BOB, first.and(Set.of(DAN))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must name no authors");
    }
}

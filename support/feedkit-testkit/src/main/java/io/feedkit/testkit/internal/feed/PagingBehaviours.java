package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.oldestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.InvalidCursorException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.testkit.Exhaustive;
import io.feedkit.testkit.internal.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Paging: behaviours 22 to 33. */
public abstract class PagingBehaviours extends FeedRules {

    protected PagingBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    /** An engine on which ann follows bob, who has {@code count} posts, more than fit into the inbox. */
    private FeedEngine prepared(Policy policy, int count) {
        FeedEngine engine = open(builder(policy).cap(10));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, count));
        return engine;
    }

    /** The cursor of the post at a rank from the top, which is not the last. */
    private static Cursor cursorAt(FeedEngine engine, int rank) {
        return engine.readAuthor(BOB, PageRequest.first(rank)).older().orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("22: a walk far below the inbox shows each post once, in order within and across pages, both ways")
    void longWalk(Policy policy) {
        walkBothWays(policy, 20, 150);
    }

    @Exhaustive
    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "22: a walk over 1000 posts in pages of 7 shows each once, in order within and across pages, both ways")
    void longestWalk(Policy policy) {
        walkBothWays(policy, 100, 1000);
    }

    private void walkBothWays(Policy policy, int cap, int posts) {
        FeedEngine engine = open(builder(policy).cap(cap));
        follow(engine, ANN, BOB, CAT);
        follow(engine, YAN, CAT);
        follow(engine, ZOE, CAT);
        visit(engine, ANN);
        publish(engine, posts(BOB, posts / 2));
        publish(engine, posts(CAT, posts / 2));
        List<Post> all = new ArrayList<>(posts(BOB, posts / 2));
        all.addAll(posts(CAT, posts / 2));
        assertThat(walk(engine, ANN, 7)).isEqualTo(newestFirst(all));
        assertThat(climb(engine, ANN, Samples.bottom(), 7)).isEqualTo(oldestFirst(all));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("23: an empty feed gives an empty page without an older cursor, for any limit, cursor and direction")
    void emptyFeed(Policy policy) {
        FeedEngine engine = prepared(policy, 20);
        Cursor cursor = cursorAt(engine, 11);
        for (int limit : new int[] {1, 7, ALL}) {
            for (PageRequest request : List.of(
                    PageRequest.first(limit),
                    PageRequest.older(cursor, limit),
                    PageRequest.newer(cursor, limit),
                    PageRequest.atOrOlder(cursor, limit),
                    PageRequest.atOrNewer(cursor, limit))) {
                FeedPage<Post> page = engine.read(CAT, request);
                assertThat(page.items()).isEmpty();
                assertThat(page.older()).isEmpty();
                assertThat(page.moreNewer()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("24: there is no older cursor when the items fill the page exactly, and one when there is one more")
    void exactlyFull(Policy policy) {
        FeedEngine engine = prepared(policy, 20);
        assertThat(engine.read(ANN, PageRequest.first(20)).older()).isEmpty();
        assertThat(engine.read(ANN, PageRequest.first(21)).older()).isEmpty();
        FeedPage<Post> page = engine.read(ANN, PageRequest.first(19));
        FeedPage<Post> last = engine.read(ANN, PageRequest.older(page.older().orElseThrow(), 1));
        assertThat(last.items()).containsExactly(post(BOB, 1));
        assertThat(last.older()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("25: a page whose candidates are filtered out is filled with older posts, until it is full or the feed"
            + " ends")
    void refill(Policy policy) {
        FeedEngine engine = open(builder(policy)
                .cap(10)
                .filter((reader, posts) ->
                        posts.stream().filter(post -> post.id().endsWith("0")).toList()));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, 100));
        FeedPage<Post> page = engine.read(ANN, PageRequest.first(4));
        assertThat(ids(page.items())).containsExactly("p0100", "p0090", "p0080", "p0070");
        FeedPage<Post> next = engine.read(ANN, PageRequest.older(page.older().orElseThrow(), 4));
        assertThat(ids(next.items())).containsExactly("p0060", "p0050", "p0040", "p0030");
        FeedPage<Post> last = engine.read(ANN, PageRequest.older(next.older().orElseThrow(), 4));
        assertThat(ids(last.items())).containsExactly("p0020", "p0010");
        assertThat(last.older()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("25: a page that scans too many posts stops at the limit, and its cursor continues")
    void maxScannedPerPage(Policy policy) {
        FeedEngine engine = open(builder(policy)
                .reading(reading -> reading.maxScannedPerPage(20))
                .filter((reader, posts) ->
                        posts.stream().filter(post -> post.id().equals("p0001")).toList()));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, 200));
        FeedPage<Post> page = engine.read(ANN, PageRequest.first(4));
        assertThat(page.items()).isEmpty();
        assertThat(page.older()).isPresent();
        assertThat(ids(walk(engine, ANN, 4))).containsExactly("p0001");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("26: a malformed cursor is a typed error, and one from another feed pages from its place")
    void foreignCursor(Policy policy) {
        FeedEngine engine = prepared(policy, 20);
        for (String malformed : List.of("", "x", "null", "AQ", "!".repeat(300))) {
            assertThatThrownBy(() -> Cursor.parse(malformed)).isInstanceOf(InvalidCursorException.class);
        }
        publish(engine, Post.of(CAT, "c", Samples.EPOCH + 10));
        Cursor foreign = engine.readAuthor(CAT, PageRequest.first(1)).newer();
        Cursor parsed = Cursor.parse(foreign.toString());
        assertThat(engine.read(ANN, PageRequest.older(parsed, ALL)).items()).isEqualTo(newestFirst(posts(BOB, 9)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("27, 29: a cursor whose own item was deleted still pages from its place, and nothing else is lost")
    void cursorOfDeletedItem(Policy policy) {
        FeedEngine engine = prepared(policy, 20);
        FeedPage<Post> page = engine.read(ANN, PageRequest.first(7));
        Post last = page.items().get(6);
        engine.delete(BOB, last.id());
        engine.fanout().drain();
        assertThat(engine.read(ANN, PageRequest.older(page.older().orElseThrow(), ALL))
                        .items())
                .isEqualTo(newestFirst(posts(BOB, 13)));
        Post first = page.items().get(0);
        engine.delete(BOB, first.id());
        assertThat(engine.read(ANN, PageRequest.newer(page.newer(), ALL)).items())
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("28: posts that arrive between two pages cause no repeated and no skipped items")
    void arrivals(Policy policy) {
        FeedEngine engine = prepared(policy, 40);
        List<Post> seen =
                walk(engine, ANN, 7, pages -> publish(engine, post(BOB, 100 + 2 * pages), post(BOB, 101 + 2 * pages)));
        assertThat(seen).isEqualTo(newestFirst(posts(BOB, 40)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("30: older and newer exist with and without the item at the cursor, and their counts add up")
    void inclusive(Policy policy) {
        FeedEngine engine = prepared(policy, 10);
        Cursor fourth = cursorAt(engine, 4);
        assertThat(engine.read(ANN, PageRequest.atOrOlder(fourth, ALL)).items())
                .hasSize(7)
                .startsWith(post(BOB, 7));
        assertThat(engine.read(ANN, PageRequest.older(fourth, ALL)).items())
                .hasSize(6)
                .startsWith(post(BOB, 6));
        assertThat(engine.read(ANN, PageRequest.atOrNewer(fourth, ALL)).items())
                .hasSize(4)
                .endsWith(post(BOB, 7));
        assertThat(engine.read(ANN, PageRequest.newer(fourth, ALL)).items())
                .hasSize(3)
                .endsWith(post(BOB, 8));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("31: the newer page adjoins the cursor, is not the newest page, and says whether there is more")
    void adjoining(Policy policy) {
        FeedEngine engine = prepared(policy, 20);
        FeedPage<Post> page = engine.read(ANN, PageRequest.newer(cursorAt(engine, 16), 4));
        assertThat(page.items()).isEqualTo(newestFirst(posts(BOB, 9).subList(5, 9)));
        assertThat(page.moreNewer()).isTrue();
        FeedPage<Post> rest = engine.read(ANN, PageRequest.newer(page.newer(), 11));
        assertThat(rest.items()).isEqualTo(newestFirst(posts(BOB, 20).subList(9, 20)));
        assertThat(rest.moreNewer()).isFalse();
        FeedPage<Post> none = engine.read(ANN, PageRequest.newer(rest.newer(), 11));
        assertThat(none.items()).isEmpty();
        publish(engine, post(BOB, 30));
        assertThat(engine.read(ANN, PageRequest.newer(none.newer(), 11)).items())
                .containsExactly(post(BOB, 30));
        assertThat(engine.read(ANN, PageRequest.older(rest.older().orElseThrow(), ALL))
                        .items())
                .isEqualTo(newestFirst(posts(BOB, 9)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("33: a cursor keeps its meaning when authors change between push and pull from page to page")
    void flippingAuthors(Policy policy) {
        FeedEngine engine = prepared(policy, 40);
        List<Post> seen = walk(engine, ANN, 7, pages -> {
            engine.usePolicy((pages % 2 == 0 ? Policy.PUSH : Policy.PULL).fanout());
            publish(engine, post(BOB, 100 + pages));
        });
        assertThat(seen).isEqualTo(newestFirst(posts(BOB, 40)));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("45: an entry whose content is gone is skipped, and the page is filled with further posts")
    void contentGone(Policy policy) {
        FeedEngine engine = prepared(policy, 40);
        FeedPage<String> page = engine.read(ANN, PageRequest.first(5), PagingBehaviours::evenOnly);
        assertThat(page.items()).containsExactly("p0040", "p0038", "p0036", "p0034", "p0032");
        FeedPage<String> next =
                engine.read(ANN, PageRequest.older(page.older().orElseThrow(), 100), PagingBehaviours::evenOnly);
        assertThat(next.items()).hasSize(15).startsWith("p0030").endsWith("p0002");
        assertThat(next.older()).isEmpty();
        FeedPage<String> up = engine.read(ANN, PageRequest.newer(next.newer(), 3), PagingBehaviours::evenOnly);
        assertThat(up.items()).containsExactly("p0036", "p0034", "p0032");
        assertThat(up.moreNewer()).isTrue();
    }

    private static Map<Post, String> evenOnly(List<Post> posts) {
        return posts.stream()
                .filter(post -> (post.id().charAt(4) - '0') % 2 == 0)
                .collect(Collectors.toMap(post -> post, Post::id));
    }
}

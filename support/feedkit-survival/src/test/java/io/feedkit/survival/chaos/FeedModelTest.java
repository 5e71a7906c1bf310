package io.feedkit.survival.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * A reader who follows ann since 100, and two engines. A page takes 10 ms, and other engines show the same after 1 s.
 */
@DisplayName("The model of what readers see")
class FeedModelTest {

    private static final long STALENESS = 1000;
    private static final String ONE = "one";
    private static final String TWO = "two";

    private final FeedModel model = new FeedModel(0, STALENESS, Skew.NONE);
    private final Post older = post("ann", "older", 200);
    private final Post newer = post("ann", "newer", 300);

    private static Post post(String author, String id, long millis) {
        return Post.of(author, id, millis);
    }

    private static Call call(String engine, long start) {
        return new Call(engine, "reader", "page", start, start + 10);
    }

    private static ShownPage page(String engine, long start, Post... posts) {
        return new ShownPage(call(engine, start), List.of(posts), true, false, false);
    }

    private static ShownPage part(String engine, long start, Post... posts) {
        return new ShownPage(call(engine, start), List.of(posts), false, false, false);
    }

    private static ShownPage stale(String engine, long start, Post... posts) {
        return new ShownPage(call(engine, start), List.of(posts), true, false, true);
    }

    private static ShownPage hydrated(String engine, long start, Post... posts) {
        return new ShownPage(call(engine, start), List.of(posts), true, true, false);
    }

    @BeforeEach
    void publishTwo() {
        model.edgeChanging("reader", "ann", 90);
        model.followed(new Call(ONE, "reader", "follow", 90, 100), "ann");
        publish(older);
        publish(newer);
    }

    private void publish(Post post) {
        long at = post.publishedAt().toEpochMilli();
        model.publishing(post, at);
        assertThat(model.published(post, ONE, at + 1)).isEmpty();
    }

    private int mark(long at, Post... shown) {
        return model.marking("reader", ShownPosts.on(page(ONE, at - 20, shown), Skew.NONE), at);
    }

    private void marked(long at, Post... shown) {
        model.marked("reader", mark(at, shown), at + 1);
    }

    /** The rules that did not hold for the last of some pages of one walk. */
    private List<Rule> walk(ShownPage... pages) {
        Walk walk = new Walk(model);
        List<Violation> last = new ArrayList<>();
        for (ShownPage page : pages) {
            assertThat(last).isEmpty();
            last = walk.add(page);
        }
        return rules(last);
    }

    /** The same of a first page and pages of new posts. */
    private List<Rule> poll(ShownPage first, ShownPage... pages) {
        assertThat(new Walk(model).add(first)).isEmpty();
        Polling polling = new Polling(model, first);
        List<Violation> last = new ArrayList<>();
        for (ShownPage page : pages) {
            assertThat(last).isEmpty();
            last = polling.add(page);
        }
        return rules(last);
    }

    private List<Rule> count(String engine, long start, long count) {
        return rules(model.check(call(engine, start), count));
    }

    private static List<Rule> rules(List<Violation> violations) {
        return violations.stream().map(Violation::rule).toList();
    }

    @Nested
    @DisplayName("A page")
    class OfOnePage {

        @Test
        @DisplayName("may show what was published, and lack what no page has shown")
        void right() {
            assertThat(walk(page(ONE, 400, newer, older))).isEmpty();
            assertThat(walk(page(TWO, 400, newer))).isEmpty();
        }

        @Test
        @DisplayName("is newest first")
        void order() {
            assertThat(walk(page(ONE, 400, older, newer))).contains(Rule.ORDER);
            assertThat(walk(page(ONE, 400, newer, newer))).contains(Rule.ORDER, Rule.SHOWN_ONCE);
        }

        @Test
        @DisplayName("shows nothing that was never published, was refused, or has another time")
        void published() {
            assertThat(walk(page(ONE, 400, post("ann", "none", 350)))).containsExactly(Rule.PUBLISHED);
            assertThat(walk(page(ONE, 400, post("ann", "older", 201)))).containsExactly(Rule.PUBLISHED);
            model.givenUp(newer.key());
            assertThat(walk(page(ONE, 400, newer))).containsExactly(Rule.PUBLISHED);
        }

        @Test
        @DisplayName("may show a post of which it is not known whether it was published")
        void unknownPublish() {
            Post cut = post("ann", "cut", 350);
            model.publishing(cut, 350);
            assertThat(walk(page(ONE, 400, cut))).isEmpty();
            assertThat(walk(page(ONE, 420, newer))).containsExactly(Rule.VISIBLE_ON_ALL);
        }

        @Test
        @DisplayName("shows a post that is dated ahead with a time of the publish, and always with the same one")
        void ahead() {
            Post given = post("ann", "ahead", 60_000);
            Post stored = post("ann", "ahead", 360);
            model.publishing(given, 350);
            assertThat(walk(page(ONE, 400, post("ann", "ahead", 349)))).containsExactly(Rule.PUBLISHED);
            assertThat(walk(page(ONE, 400, post("ann", "ahead", 411)))).containsExactly(Rule.PUBLISHED);
            assertThat(walk(page(ONE, 400, given))).containsExactly(Rule.PUBLISHED);
            assertThat(walk(page(ONE, 400, stored))).isEmpty();
            assertThat(walk(page(ONE, 420, post("ann", "ahead", 361)))).contains(Rule.PUBLISHED);
            assertThat(walk(page(ONE, 420))).contains(Rule.VISIBLE_ON_ALL);
            assertThat(model.published(stored, ONE, 430)).isEmpty();
            assertThat(rules(model.published(post("ann", "ahead", 361), ONE, 430)))
                    .containsExactly(Rule.PUBLISHED);
        }

        @Test
        @DisplayName("shows a post that is dated ahead with the time that the publish answered")
        void answered() {
            model.publishing(post("ann", "ahead", 60_000), 350);
            assertThat(model.published(post("ann", "ahead", 360), ONE, 370)).isEmpty();
            assertThat(walk(page(ONE, 400, post("ann", "ahead", 361)))).containsExactly(Rule.PUBLISHED);
            assertThat(walk(page(ONE, 400, post("ann", "ahead", 360), newer, older)))
                    .isEmpty();
        }

        @Test
        @DisplayName("shows no author who is certainly not followed during the call")
        void followed() {
            Post other = post("bob", "other", 350);
            publish(other);
            assertThat(walk(page(ONE, 400, other))).containsExactly(Rule.FOLLOWED);

            model.edgeChanging("reader", "ann", 500);
            assertThat(walk(page(ONE, 510, newer))).isEmpty();
            model.unfollowed("reader", "ann", 520);
            assertThat(walk(page(ONE, 515, newer))).isEmpty();
            assertThat(walk(page(ONE, 521, newer))).containsExactly(Rule.FOLLOWED);
            model.edgeChanging("reader", "ann", 600);
            assertThat(walk(page(ONE, 595, newer))).isEmpty();
        }

        @Test
        @DisplayName("shows nothing deleted: at once with content, after the staleness bound without")
        void deleted() {
            model.deleting(newer.key(), 500);
            assertThat(walk(page(ONE, 600, newer))).isEmpty();
            model.deleted(newer.key(), 510);
            assertThat(walk(page(ONE, 1510, newer))).isEmpty();
            assertThat(walk(page(ONE, 1511, newer))).containsExactly(Rule.DELETED);
            assertThat(walk(hydrated(ONE, 510, newer))).isEmpty();
            assertThat(walk(hydrated(ONE, 511, newer))).containsExactly(Rule.DELETED);
            assertThat(walk(stale(ONE, 2000, newer))).isEmpty();
        }
    }

    @Nested
    @DisplayName("What a page has shown")
    class Visible {

        @Test
        @DisplayName("is on every later page of that engine")
        void sameEngine() {
            walk(page(ONE, 400, newer, older));
            assertThat(walk(page(ONE, 405, newer))).isEmpty();
            assertThat(walk(page(ONE, 411, newer))).containsExactly(Rule.VISIBLE_ON_ALL);
            assertThat(walk(hydrated(ONE, 411))).containsExactly(Rule.VISIBLE_ON_ALL, Rule.VISIBLE_ON_ALL);
        }

        @Test
        @DisplayName("is on every page of another engine that begins after the staleness bound")
        void otherEngine() {
            walk(page(ONE, 400, newer, older));
            assertThat(walk(page(TWO, 1410, newer))).isEmpty();
            assertThat(walk(page(TWO, 1411, newer))).containsExactly(Rule.VISIBLE_ON_ALL);
        }

        @Test
        @DisplayName("is on no page that ends above it or begins below it")
        void covered() {
            walk(page(ONE, 400, newer, older));
            assertThat(walk(part(ONE, 500, newer))).isEmpty();
            assertThat(walk(part(ONE, 500))).isEmpty();
            assertThat(walk(part(ONE, 500, newer), page(ONE, 520, older))).isEmpty();
            assertThat(walk(part(ONE, 500, newer), page(ONE, 520))).containsExactly(Rule.VISIBLE_ON_ALL);
            assertThat(walk(part(ONE, 500), page(ONE, 520, older))).isEmpty();
        }

        @Test
        @DisplayName("may be gone from the moment that somebody begins to delete it")
        void deleted() {
            walk(page(ONE, 400, newer, older));
            model.deleting(older.key(), 500);
            assertThat(walk(page(ONE, 480, newer))).containsExactly(Rule.VISIBLE_ON_ALL);
            assertThat(walk(page(ONE, 490, newer))).isEmpty();
        }

        @Test
        @DisplayName("may be gone from the moment that the reader begins to unfollow, also after following again")
        void unfollowed() {
            walk(page(ONE, 400, newer, older));
            model.edgeChanging("reader", "ann", 500);
            assertThat(walk(page(ONE, 510))).isEmpty();
            assertThat(walk(page(ONE, 450, newer, older))).isEmpty();
            model.unfollowed("reader", "ann", 520);
            model.edgeChanging("reader", "ann", 600);
            assertThat(walk(page(ONE, 605))).isEmpty();
        }

        @Test
        @DisplayName("is what had been published when a follow began that has returned")
        void follow() {
            Post before = post("bob", "before", 400);
            Post after = post("bob", "after", 450);
            publish(before);
            model.edgeChanging("reader", "bob", 420);
            publish(after);
            model.followed(new Call(ONE, "reader", "follow", 420, 500), "bob");
            assertThat(walk(page(ONE, 501, before))).isEmpty();
            assertThat(walk(page(ONE, 502))).containsExactly(Rule.VISIBLE_ON_ALL);
            assertThat(walk(page(TWO, 503))).isEmpty();
        }

        @Test
        @DisplayName("is neither proved by a stale page nor demanded of one")
        void stalePages() {
            walk(stale(ONE, 400, newer, older));
            assertThat(walk(page(ONE, 500, newer))).isEmpty();
            assertThat(walk(stale(ONE, 600))).isEmpty();
        }
    }

    @Nested
    @DisplayName("A walk")
    class Walks {

        @Test
        @DisplayName("shows no post twice")
        void twice() {
            assertThat(walk(part(ONE, 400, newer), page(ONE, 420, newer))).containsExactly(Rule.SHOWN_ONCE);
        }

        @Test
        @DisplayName("goes down")
        void down() {
            assertThat(walk(part(ONE, 400, older), page(ONE, 420, newer))).containsExactly(Rule.ORDER);
        }
    }

    @Nested
    @DisplayName("A polling client")
    class Polls {

        private final Post late = post("ann", "late", 250);
        private final Post last = post("ann", "last", 500);

        @Test
        @DisplayName("sees no post twice")
        void twice() {
            assertThat(poll(page(ONE, 400, newer, older), page(ONE, 420, newer)))
                    .containsExactly(Rule.SHOWN_ONCE);
        }

        @Test
        @DisplayName("sees what is visible above its cursor")
        void above() {
            ShownPage first = page(ONE, 400, newer, older);
            publish(last);
            assertThat(poll(first, page(ONE, 510))).isEmpty();
            walk(page(ONE, 520, last, newer, older));
            assertThat(poll(first, page(ONE, 530))).isEmpty();
            assertThat(poll(first, page(ONE, 531))).containsExactly(Rule.POLLED);
            assertThat(poll(first, page(ONE, 531, last), page(ONE, 550))).isEmpty();
        }

        @Test
        @DisplayName("sees the rest on the next page if there is more")
        void more() {
            Post top = post("ann", "top", 600);
            publish(last);
            publish(top);
            ShownPage first = page(ONE, 400, newer, older);
            walk(page(ONE, 620, top, last, newer, older));
            assertThat(poll(first, part(ONE, 640, last))).isEmpty();
            assertThat(poll(first, part(ONE, 640, last), page(ONE, 660, top))).isEmpty();
            assertThat(poll(first, part(ONE, 640, last), page(ONE, 660))).containsExactly(Rule.POLLED);
            assertThat(poll(first, part(ONE, 640, top))).containsExactly(Rule.POLLED);
        }

        @Test
        @DisplayName("sees what became visible within the lookback below its cursor")
        void lookback() {
            ShownPage first = page(ONE, 400, newer, older);
            publish(late);
            walk(page(ONE, 420, newer, late, older));
            assertThat(poll(first, page(ONE, 440))).containsExactly(Rule.POLLED);
            assertThat(poll(first, page(ONE, 440, late))).isEmpty();
            assertThat(poll(part(ONE, 440, newer), page(ONE, 460))).isEmpty();
        }

        @Test
        @DisplayName("need not see what is two minutes below")
        void twoMinutes() {
            Post far = post("ann", "far", 120_250);
            publish(far);
            ShownPage first = page(ONE, 120_300, far);
            publish(late);
            walk(page(ONE, 120_320, far, newer, late, older));
            assertThat(poll(first, page(ONE, 120_340))).containsExactly(Rule.POLLED);
            assertThat(poll(first, page(ONE, 120_340, newer))).isEmpty();
        }

        @Test
        @DisplayName("need not see what is below 45 posts that it was shown")
        void manyPosts() {
            Post[] many = new Post[45];
            for (int i = 0; i < many.length; i++) {
                many[i] = post("ann", "many" + i, 400 - i);
                publish(many[i]);
            }
            ShownPage first = page(ONE, 500, many);
            publish(late);
            walk(page(ONE, 520, with(many, newer, late, older)));
            assertThat(poll(first, page(ONE, 540))).isEmpty();
            assertThat(poll(page(ONE, 500, Arrays.copyOf(many, 44)), page(ONE, 540)))
                    .hasSize(4)
                    .containsOnly(Rule.POLLED);
        }

        private Post[] with(Post[] above, Post... below) {
            Post[] all = Arrays.copyOf(above, above.length + below.length);
            System.arraycopy(below, 0, all, above.length, below.length);
            return all;
        }

        @Test
        @DisplayName("misses a post once")
        void missesOnce() {
            publish(last);
            Polling polling = new Polling(model, page(ONE, 400, newer, older));
            walk(page(ONE, 520, last, newer, older));
            assertThat(rules(polling.add(page(ONE, 540)))).containsExactly(Rule.POLLED);
            assertThat(polling.add(page(ONE, 560))).isEmpty();
        }

        @Test
        @DisplayName("sees what was not on the first page of an empty feed")
        void empty() {
            assertThat(poll(page(ONE, 301), page(ONE, 330))).isEmpty();
            walk(page(ONE, 350, newer, older));
            assertThat(poll(page(ONE, 301), page(ONE, 370))).containsExactly(Rule.POLLED, Rule.POLLED);
            assertThat(poll(part(ONE, 301), page(ONE, 370))).isEmpty();
        }

        @Test
        @DisplayName("need not see what a stale page may have passed by")
        void staleParts() {
            ShownPage first = page(ONE, 400, newer, older);
            publish(late);
            walk(page(ONE, 420, newer, late, older));
            ShownPage whole = stale(ONE, 440);
            ShownPage part = new ShownPage(whole.call(), List.of(), false, false, true);
            assertThat(poll(first, whole, page(ONE, 460))).containsExactly(Rule.POLLED);
            assertThat(poll(first, part, page(ONE, 460))).isEmpty();
        }
    }

    @Nested
    @DisplayName("A count")
    class Counts {

        @Test
        @DisplayName("is at most what exists that was not marked")
        void most() {
            assertThat(count(ONE, 400, 2)).isEmpty();
            assertThat(count(ONE, 400, 3)).containsExactly(Rule.COUNT_TOO_HIGH);
            int mark = mark(450, older);
            assertThat(count(ONE, 460, 2)).isEmpty();
            model.marked("reader", mark, 480);
            assertThat(count(ONE, 481, 2)).containsExactly(Rule.COUNT_TOO_HIGH);
            model.deleting(newer.key(), 500);
            model.deleted(newer.key(), 510);
            assertThat(count(ONE, 1500, 1)).isEmpty();
            assertThat(count(ONE, 1511, 1)).containsExactly(Rule.COUNT_TOO_HIGH);
        }

        @Test
        @DisplayName("is at least what pages have shown that was not marked")
        void least() {
            assertThat(count(ONE, 400, 0)).isEmpty();
            walk(page(ONE, 400, newer, older));
            assertThat(count(ONE, 420, 1)).containsExactly(Rule.COUNT_TOO_LOW);
            assertThat(count(TWO, 420, 1)).isEmpty();
            mark(450, older);
            assertThat(count(ONE, 460, 1)).isEmpty();
            assertThat(count(ONE, 460, 0)).containsExactly(Rule.COUNT_TOO_LOW);
            mark(470, newer);
            assertThat(count(ONE, 480, 0)).isEmpty();
        }

        @Test
        @DisplayName("has a post that no marked page has shown, also below one that was marked")
        void late() {
            marked(450, newer);
            assertThat(count(ONE, 460, 1)).isEmpty();
            assertThat(count(ONE, 460, 2)).containsExactly(Rule.COUNT_TOO_HIGH);
            walk(page(ONE, 460, newer, older));
            assertThat(count(ONE, 480, 1)).isEmpty();
            assertThat(count(ONE, 480, 0)).containsExactly(Rule.COUNT_TOO_LOW);
        }

        @Test
        @DisplayName("has nothing that one of several marked pages has shown")
        void devices() {
            walk(page(ONE, 400, newer, older));
            marked(450, newer);
            marked(470, older);
            assertThat(count(ONE, 480, 0)).isEmpty();
            assertThat(count(ONE, 480, 1)).containsExactly(Rule.COUNT_TOO_HIGH);
        }

        @Test
        @DisplayName("has nothing below the end of a marked first page")
        void below() {
            walk(page(ONE, 400, newer, older));
            model.marked("reader", model.marking("reader", ShownPosts.on(part(ONE, 420, newer), Skew.NONE), 440), 450);
            assertThat(count(ONE, 460, 0)).isEmpty();
            assertThat(count(ONE, 460, 1)).containsExactly(Rule.COUNT_TOO_HIGH);
        }

        @Test
        @DisplayName("has nothing from before the lookback of a mark")
        void lookback() {
            Post far = post("ann", "far", 120_250);
            publish(far);
            walk(page(ONE, 120_300, far, newer, older));
            marked(120_400, far);
            assertThat(count(ONE, 120_500, 1)).isEmpty();
            assertThat(count(ONE, 120_500, 0)).containsExactly(Rule.COUNT_TOO_LOW);
            assertThat(count(ONE, 120_500, 2)).containsExactly(Rule.COUNT_TOO_HIGH);
        }
    }

    @Nested
    @DisplayName("With clocks that are wrong by up to 100 ms")
    class Clocks {

        private final FeedModel skewed = new FeedModel(0, STALENESS, Skew.of(100));

        private List<Rule> publish(long given, long stored) {
            Post post = post("ann", "post" + given + "at" + stored, given);
            skewed.publishing(post, 500);
            return rules(skewed.published(post("ann", post.id(), stored), ONE, 510));
        }

        @Test
        @DisplayName("a post is stored with its time, or with a time of the publish by one of the clocks")
        void stored() {
            assertThat(publish(300, 300)).isEmpty();
            assertThat(publish(300, 299)).containsExactly(Rule.PUBLISHED);
            assertThat(publish(300, 301)).containsExactly(Rule.PUBLISHED);
            assertThat(publish(500, 400)).isEmpty();
            assertThat(publish(500, 399)).containsExactly(Rule.PUBLISHED);
            assertThat(publish(9000, 610)).isEmpty();
            assertThat(publish(9000, 611)).containsExactly(Rule.PUBLISHED);
        }

        @Test
        @DisplayName("a mark has nothing below a first page that lies ahead of the present of its engine")
        void below() {
            ShownPosts behind = ShownPosts.on(part(ONE, 320, newer), Skew.of(100));
            assertThat(behind.has(newer)).isTrue();
            assertThat(behind.has(post("ann", "between", 230))).isFalse();
            assertThat(behind.mayHave(post("ann", "between", 230))).isTrue();
            assertThat(behind.has(older)).isTrue();
            assertThat(ShownPosts.on(part(ONE, 320, newer), Skew.NONE).has(post("ann", "between", 230)))
                    .isTrue();
        }
    }

    @Test
    @DisplayName("The final state is the oracle's")
    void quiet() {
        model.deleting(older.key(), 400);
        model.deleted(older.key(), 410);
        assertThat(model.feed("reader")).containsExactly(newer);
        model.edgeChanging("reader", "ann", 500);
        model.unfollowed("reader", "ann", 510);
        assertThat(model.feed("reader")).isEmpty();
    }
}

package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.InvalidRequestException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Unread;
import io.feedkit.testkit.TestFeed;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the guide to paging shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to paging in a web API")
class PagingGuideTest {

    @RegisterExtension
    final TestFeed testFeed = TestFeed.inMemory();

    // guide
    record Timeline(List<String> items, String older, String newer, boolean moreNewer) {

        static Timeline of(FeedPage<Post> page) {
            List<String> items = page.items().stream().map(Post::id).toList(); // or cards
            String older = page.older().map(Cursor::toString).orElse(null); // null at the end
            return new Timeline(items, older, page.newer().toString(), page.moreNewer());
        }
    }

    static PageRequest request(String older, String newer, String until, int limit) {
        PageRequest request = PageRequest.first(limit);
        if (older != null) {
            request = PageRequest.older(Cursor.parse(older), limit);
        } else if (newer != null) {
            request = PageRequest.newer(Cursor.parse(newer), limit);
        }
        return until == null ? request : request.until(Cursor.parse(until));
    }
    // end

    private FeedEngine feedWith(int posts) {
        FeedEngine feed = testFeed.engine();
        feed.follow("ann", "bob");
        for (int i = 1; i <= posts; i++) {
            testFeed.clock().advance(Duration.ofSeconds(1));
            feed.publish("bob", "post-" + i);
        }
        testFeed.drain();
        return feed;
    }

    private static List<String> ids(int from, int downTo) {
        return IntStream.rangeClosed(-from, -downTo).mapToObj(i -> "post" + i).toList();
    }

    @Test
    @DisplayName("walks down with the cursors of its answers, and then up")
    void walks() {
        FeedEngine feed = feedWith(5);
        Timeline top = Timeline.of(feed.read("ann", request(null, null, null, 3)));
        Timeline below = Timeline.of(feed.read("ann", request(top.older(), null, null, 3)));
        assertThat(top.items()).isEqualTo(ids(5, 3));
        assertThat(below.items()).isEqualTo(ids(2, 1));
        assertThat(below.older()).isNull();
        feed.publish("bob", "post-6");
        testFeed.drain();
        Timeline news = Timeline.of(feed.read("ann", request(null, top.newer(), null, 3)));
        assertThat(news.items()).isEqualTo(ids(6, 6));
        assertThat(news.moreNewer()).isFalse();
        assertThatThrownBy(() -> request("no cursor", null, null, 3)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> request(null, null, null, 1001)).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    @DisplayName("fills the gap between two pages")
    void gap() {
        FeedEngine feed = feedWith(3);
        Cursor known = feed.read("ann", PageRequest.first(20)).newer();
        testFeed.clock().advance(Duration.ofHours(1));
        for (int i = 4; i <= 30; i++) {
            testFeed.clock().advance(Duration.ofSeconds(1));
            feed.publish("bob", "post-" + i);
        }
        testFeed.drain();
        // guide
        FeedPage<Post> top = feed.read("ann", PageRequest.first(20).until(known));
        Optional<FeedPage<Post>> gap = top.older() // absent: no gap
                .map(below -> feed.read("ann", PageRequest.older(below, 20).until(known)));
        // end
        assertThat(top.items()).extracting(Post::id).isEqualTo(ids(30, 11));
        assertThat(gap.orElseThrow().items()).extracting(Post::id).isEqualTo(ids(10, 4));
        assertThat(gap.orElseThrow().older()).isEmpty();
    }

    @Test
    @DisplayName("counts new posts, and finds the line between new and seen ones")
    void marks() {
        FeedEngine feed = feedWith(3);
        FeedPage<Post> page = feed.read("ann", PageRequest.first(20));
        Instant yesterday = TestFeed.START.minus(Duration.ofDays(1));
        // guide
        Unread news = feed.countNewer("ann", page.newer()); // "5 new posts"
        Optional<Cursor> line = feed.seenMark("ann"); // draw a line here, then mark
        feed.markSeen("ann", page.newer()); // what the client has shown
        feed.resetSeen("ann", Cursor.at(yesterday)); // unread again from there on
        // end
        assertThat(news).isEqualTo(new Unread(0, false));
        assertThat(line).isEmpty();
        assertThat(feed.unread("ann").count()).isEqualTo(3);
        feed.markSeen("ann", page.newer());
        assertThat(feed.unread("ann").count()).isZero();
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("paging-api.md", "PagingGuideTest");
    }
}

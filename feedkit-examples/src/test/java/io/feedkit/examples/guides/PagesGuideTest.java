package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Unread;
import io.feedkit.testkit.TestFeed;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the guide to pages shows, between "guide" and "end". */
@DisplayName("The guide to pages")
class PagesGuideTest {

    @RegisterExtension
    final TestFeed testFeed = TestFeed.inMemory();

    private static Map<Post, String> titles(List<Post> posts) {
        return posts.stream().collect(Collectors.toMap(post -> post, post -> "title of " + post.id()));
    }

    @Test
    @DisplayName("shows calls that do what it says")
    void calls() {
        FeedEngine feed = testFeed.engine();
        Instant yesterday = TestFeed.START.minus(Duration.ofDays(1));
        feed.follow("ann", "bob");
        feed.publish("bob", "post-1");
        testFeed.drain();
        // guide
        FeedPage<Post> page = feed.read("ann", PageRequest.first(20));

        // A client comes back after a while: the newest page, then the gap down to what it has.
        FeedPage<Post> top = feed.read("ann", PageRequest.first(20).until(page.newer()));
        Optional<FeedPage<Post>> gap = top.older()
                .map(below -> feed.read("ann", PageRequest.older(below, 20).until(page.newer())));

        // A list of authors, as ann sees them.
        FeedPage<Post> list = feed.read("ann", PageRequest.first(20).from(Set.of("bob", "dan")));

        // An author's own page, with the host's content.
        FeedPage<String> profile = feed.readAuthor("bob", PageRequest.first(20), PagesGuideTest::titles);

        // "5 new posts" above a page, and the line between new and seen posts.
        Unread news = feed.countNewer("ann", page.newer());
        feed.markSeen("ann", page.newer());
        Optional<Cursor> line = feed.seenMark("ann");
        feed.resetSeen("ann", Cursor.at(yesterday)); // unread again from there on
        // end
        assertThat(top.items()).isEmpty();
        assertThat(gap).isEmpty();
        assertThat(list.items()).extracting(Post::id).containsExactly("post-1");
        assertThat(profile.items()).containsExactly("title of post-1");
        assertThat(news.count()).isZero();
        assertThat(line).contains(page.newer());
        assertThat(feed.unread("ann").count()).isEqualTo(1);
    }

    @Test
    @DisplayName("shows what is tested here")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("pages.md", "PagesGuideTest");
    }
}

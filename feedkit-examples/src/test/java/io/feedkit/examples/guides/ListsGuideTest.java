package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.TestFeed;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the guide to lists and filters shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to lists and filters")
class ListsGuideTest {

    @RegisterExtension
    final TestFeed testFeed = TestFeed.inMemory();

    /** Who has blocked whom, in the host's own table. */
    private record Blocks(Map<String, Set<String>> hidden) {

        /** The users whom a user has blocked, and those who have blocked the user. */
        Set<String> hiddenFrom(String user) {
            return hidden.getOrDefault(user, Set.of());
        }
    }

    /** What the host shows for a post. */
    private record Article(String title, String language) {}

    /** The host's own content. */
    private record Articles(Map<String, Article> byId) {

        Map<Post, Article> load(List<Post> posts, String language) {
            Map<Post, Article> found = new HashMap<>();
            for (Post post : posts) {
                Article article = byId.get(post.id());
                if (article != null && article.language().equals(language)) {
                    found.put(post, article);
                }
            }
            return found;
        }
    }

    @Test
    @DisplayName("reads lists and groups")
    void lists() {
        FeedEngine feed = testFeed.engine();
        feed.follow("ann", "bob");
        feed.publish("bob", "post-1");
        feed.publish("dan", "post-2");
        testFeed.drain();
        // guide
        // A list of authors. Ann need not follow them.
        FeedPage<Post> list = feed.read("ann", PageRequest.first(20).from(Set.of("bob", "dan")));

        // A group is an author. Merge its posts into Ann's feed.
        Set<String> groups = Set.of("group:climbing");
        feed.publish("group:climbing", "post-7");
        FeedPage<Post> page = feed.read("ann", PageRequest.first(20).and(groups));
        Optional<FeedPage<Post>> next = page.older()
                .map(cursor -> feed.read("ann", PageRequest.older(cursor, 20).and(groups)));
        // end
        assertThat(list.items()).extracting(Post::id).containsExactlyInAnyOrder("post-1", "post-2");
        assertThat(page.items()).extracting(Post::id).containsExactlyInAnyOrder("post-1", "post-7");
        assertThat(next).isEmpty();
        assertThat(feed.unread("ann").count()).isOne();
    }

    @Test
    @DisplayName("hides posts of blocked users, in the feed, in lists and in counts")
    void filters() {
        FeedStore store = InMemoryFeedStore.create();
        Blocks blocks = new Blocks(Map.of("ann", Set.of("dan")));
        // guide
        FeedEngine feed = FeedEngine.builder(store)
                .filter((reader, posts) -> {
                    Set<String> hidden = blocks.hiddenFrom(reader); // one query for all posts
                    return posts.stream()
                            .filter(post -> !hidden.contains(post.author()))
                            .toList();
                })
                .build();
        // end
        try (feed) {
            feed.follow("ann", "bob");
            feed.follow("ann", "dan");
            feed.follow("eve", "dan");
            feed.publish("bob", "post-1");
            feed.publish("dan", "post-2");
            feed.fanout().drain();
            PageRequest list = PageRequest.first(20).from(Set.of("dan"));
            assertThat(feed.read("ann", PageRequest.first(20)).items())
                    .extracting(Post::id)
                    .containsExactly("post-1");
            assertThat(feed.unread("ann").count()).isOne();
            assertThat(feed.read("ann", list).items()).isEmpty();
            assertThat(feed.read("eve", list).items()).hasSize(1);
            assertThat(feed.readAuthor("dan", PageRequest.first(20)).items()).hasSize(1);
        }
    }

    @Test
    @DisplayName("leaves out posts that do not meet a condition of the request")
    void conditions() {
        FeedEngine feed = testFeed.engine();
        Articles articles = new Articles(Map.of(
                "post-1", new Article("Bergsteigen", "de"),
                "post-2", new Article("Climbing", "en")));
        feed.follow("ann", "bob");
        feed.publish("bob", "post-1");
        feed.publish("bob", "post-2");
        feed.publish("bob", "post-3");
        testFeed.drain();
        // guide
        FeedPage<Article> german = feed.read("ann", PageRequest.first(20), posts -> articles.load(posts, "de"));
        // end
        assertThat(german.items()).extracting(Article::title).containsExactly("Bergsteigen");
        assertThat(feed.unread("ann").count()).isEqualTo(3);
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("lists-and-filters.md", "ListsGuideTest");
    }
}

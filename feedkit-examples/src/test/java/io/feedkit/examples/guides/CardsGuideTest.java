package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.cards.Card;
import io.feedkit.cards.CardField;
import io.feedkit.cards.CardPart;
import io.feedkit.cards.CardParts;
import io.feedkit.cards.PageAssembly;
import io.feedkit.counter.Counters;
import io.feedkit.counter.Reactions;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.testkit.TestFeed;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the guide to cards shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to cards")
class CardsGuideTest {

    @RegisterExtension
    final TestFeed testFeed = TestFeed.inMemory();

    /** What the host shows for a post; a repost has the id of its original. */
    private record Article(String title, String author, String originalId) {}

    private record Author(String name) {

        static final Author UNKNOWN = new Author("somebody");
    }

    /** What a client gets for a post. */
    private record View(String title, String author, long shares, boolean liked, boolean unread) {}

    /** The host's own content. */
    private record Articles(Map<String, Article> byId) {

        Map<Post, Article> load(List<Post> posts) {
            Map<Post, Article> found = new HashMap<>();
            posts.forEach(post -> found.put(post, byId.get(post.id())));
            return found;
        }

        Map<String, Article> byIds(Collection<String> ids) {
            return only(byId, ids);
        }
    }

    private record Users(Map<String, Author> byId) {

        Map<String, Author> byIds(Set<String> ids) {
            return only(byId, ids);
        }
    }

    private static <V> Map<String, V> only(Map<String, V> all, Collection<String> ids) {
        Map<String, V> some = new HashMap<>(all);
        some.keySet().retainAll(ids);
        return some;
    }

    @Test
    @DisplayName("describes cards, and reads pages of them")
    void cards() {
        FeedEngine feed = testFeed.engine();
        Counters counters = Counters.of(InMemoryCounterStore.create());
        Reactions likes = Reactions.of(InMemoryCounterStore.create());
        Users users = new Users(Map.of("bob", new Author("Bob"), "dan", new Author("Dan")));
        Articles articles = new Articles(Map.of(
                "post-1", new Article("Hello", "bob", null),
                "post-2", new Article("See this", "bob", "post-0"),
                "post-0", new Article("An old post", "dan", null)));
        feed.follow("ann", "bob");
        feed.follow("ann", "cat");
        Post first = feed.publish("bob", "post-1").post();
        testFeed.clock().advance(Duration.ofSeconds(1));
        feed.publish("bob", "post-2");
        feed.publish("cat", "gone");
        feed.fanout().drain();
        feed.markSeen("ann", Cursor.of(first));
        counters.add("shares", "post-2", 3);
        likes.add("ann", "post-1");

        // guide
        CardField<Article> article = CardField.content(articles::load); // Map<Post, Article> load(List<Post> posts)

        CardPart<String, Author> authors = CardPart.of(
                        "authors", users::byIds) // Map<String, Author> byIds(Set<String> ids)
                .within(Duration.ofMillis(300)) // 1 s unless set
                .orElse(Author.UNKNOWN);
        CardField<Author> author = authors.by(Post::author);

        CardField<Long> shares = CardParts.counter("shares", counters).by(Post::id);
        CardField<Boolean> liked = CardParts.reacted("liked", likes).by(Post::id); // by the reader
        CardField<Boolean> unread = CardParts.unread("unread", feed::seenMark).by(post -> post);

        PageAssembly cards = PageAssembly.of(article, author, shares, liked, unread);
        // end

        // guide
        FeedPage<Card> page = feed.read("ann", PageRequest.first(20), cards);
        FeedPage<View> views = page.map(card -> new View(
                card.get(article).title(),
                card.get(author).name(),
                card.get(shares),
                card.get(liked),
                card.get(unread)));
        // end
        assertThat(views.items())
                .containsExactly(new View("See this", "Bob", 3, false, true), new View("Hello", "Bob", 0, true, false));

        // guide
        CardField<Article> original =
                CardPart.of("originals", articles::byIds).by(article, Article::originalId); // or null
        CardField<Author> originalAuthor = authors.by(original, Article::author);
        PageAssembly withOriginals = PageAssembly.of(article, author, original, originalAuthor);
        Card newest =
                feed.read("ann", PageRequest.first(20), withOriginals).items().get(0);
        Optional<String> text = newest.find(original).map(Article::title); // empty if the post is no repost
        // end
        assertThat(text).contains("An old post");
        assertThat(newest.get(originalAuthor)).isEqualTo(new Author("Dan"));
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("cards.md", "CardsGuideTest");
    }
}

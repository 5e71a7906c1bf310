package io.feedkit.cards;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.counter.Counters;
import io.feedkit.counter.InterceptedCounterStore;
import io.feedkit.counter.Reactions;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.counter.CounterStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
@DisplayName("The ready-made parts of cards")
class CardPartsTest {

    private final InMemoryCounterStore memory = InMemoryCounterStore.create();
    private final List<String> storeCalls = new CopyOnWriteArrayList<>();
    private final CounterStore store = InterceptedCounterStore.of(memory, (method, call) -> {
        storeCalls.add(method);
        return call.make();
    });
    private final Counters counters = Counters.of(store);
    private final Reactions likes = Reactions.of(store);
    private final CardField<String> content =
            CardField.content(posts -> posts.stream().collect(Collectors.toMap(Function.identity(), Post::id)));

    private final CardField<Long> shares = CardParts.counter("shares", counters).by(Post::id);
    private final CardField<Long> liked = CardParts.reactions("likes", likes).by(Post::id);
    private final CardField<Boolean> likedByMe =
            CardParts.reacted("liked-by-me", likes).by(Post::id);

    @Test
    @DisplayName("show counters, reactions, and the reader's own reactions")
    void values() {
        counters.add("shares", "p1", 7);
        likes.add("ann", "p1");
        likes.add("ben", "p1");
        likes.add("ben", "p0");
        try (CardFeed feed = new CardFeed(3)) {
            List<Card> cards = feed.page(3, PageAssembly.of(content, shares, liked, likedByMe))
                    .items();
            assertThat(cards).extracting(card -> card.get(shares)).containsExactly(0L, 7L, 0L);
            assertThat(cards).extracting(card -> card.get(liked)).containsExactly(0L, 2L, 1L);
            assertThat(cards).extracting(card -> card.get(likedByMe)).containsExactly(false, true, false);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20, 1000})
    @DisplayName("take one call to the store each, whatever the size of the page")
    void calls(int size) {
        List<String> marks = new CopyOnWriteArrayList<>();
        CardField<Boolean> unread = CardParts.unread("unread", reader -> {
                    marks.add(reader);
                    return Optional.empty();
                })
                .by(post -> post);
        try (CardFeed feed = new CardFeed(size)) {
            FeedPage<Card> page = feed.page(size, PageAssembly.of(content, shares, liked, likedByMe, unread));
            assertThat(page.items()).hasSize(size);
            assertThat(storeCalls).hasSize(3);
            assertThat(marks).containsExactly("ann");
        }
    }

    @Test
    @DisplayName("mark the posts that the engine counts as unread")
    void unread() {
        try (CardFeed feed = new CardFeed(10)) {
            CardField<Boolean> unread =
                    CardParts.unread("unread", feed.engine::seenMark).by(post -> post);
            PageAssembly cards = PageAssembly.of(content, unread);
            assertThat(unreadIds(feed, cards, unread)).hasSize(10);
            assertThat(feed.engine.unread("ann").count()).isEqualTo(10);

            feed.engine.markSeen("ann", Cursor.of(CardFeed.post(6)));
            assertThat(unreadIds(feed, cards, unread)).containsExactly("p9", "p8", "p7");
            assertThat(feed.engine.unread("ann").count()).isEqualTo(3);

            feed.engine.publish(CardFeed.post(10));
            feed.engine.markSeen(
                    "ann", feed.engine.read("ann", PageRequest.first(20)).newer());
            feed.engine.publish(CardFeed.post(11));
            Post late = Post.of("author1", "late", 1_000_000);
            feed.engine.publish(late);
            assertThat(unreadIds(feed, cards, unread))
                    .hasSize((int) feed.engine.unread("ann").count())
                    .contains("p11");
        }
    }

    private static List<String> unreadIds(CardFeed feed, PageAssembly cards, CardField<Boolean> unread) {
        return feed.page(20, cards).items().stream()
                .filter(card -> card.get(unread))
                .map(card -> card.post().id())
                .toList();
    }

    @Test
    @DisplayName("do not mark the reader's own posts")
    void own() {
        try (CardFeed feed = new CardFeed(10)) {
            CardField<Boolean> unread =
                    CardParts.unread("unread", feed.engine::seenMark).by(post -> post);
            PageAssembly cards = PageAssembly.of(content, unread);
            FeedPage<Card> own = feed.engine.readAuthor("author1", PageRequest.first(2), "author1", cards);
            FeedPage<Card> others = feed.engine.readAuthor("author1", PageRequest.first(2), "ann", cards);
            assertThat(own.items()).hasSize(2).noneMatch(card -> card.get(unread));
            assertThat(others.items()).hasSize(2).allMatch(card -> card.get(unread));
        }
    }

    @Test
    @DisplayName("have fallbacks for a store that fails")
    void fallbacks() {
        CounterStore down = InterceptedCounterStore.of(memory, (method, call) -> {
            throw new IllegalStateException("down");
        });
        CardField<Long> shares = CardParts.counter("shares", Counters.of(down)).by(Post::id);
        CardField<Boolean> liked =
                CardParts.reacted("liked", Reactions.of(down)).by(Post::id);
        CardField<Boolean> unread = CardParts.unread("unread", reader -> {
                    throw new IllegalStateException("down");
                })
                .by(post -> post);
        try (CardFeed feed = new CardFeed(1)) {
            Card card = feed.card(PageAssembly.of(content, shares, liked, unread));
            assertThat(card.get(shares)).isZero();
            assertThat(card.get(liked)).isFalse();
            assertThat(card.get(unread)).isFalse();
            assertThat(List.of(shares, liked, unread)).allMatch(card::hasFailed);
            assertThat(feed.failures).hasSize(3);
        }
    }
}

package io.feedkit.cards;

import static io.feedkit.cards.CardFeed.number;
import static io.feedkit.cards.CardFeed.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("concurrency")
@Timeout(60)
@DisplayName("A page of cards")
class PageAssemblyTest {

    /** The content of a post; every third post reposts an earlier one. */
    private record Article(String title, String originalId) {}

    private static Article article(int number) {
        return new Article("title" + number, number % 3 == 0 ? "x" + number % 7 : null);
    }

    /** A user's display name. */
    private record Name(String text) {}

    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<List<Post>> contentCalls = new CopyOnWriteArrayList<>();
    private final CardField<Article> article = CardField.content(loader(post -> true));
    private final Lookup<String, Name> names = new Lookup<>(id -> new Name("name of " + id));
    private final CardPart<String, Name> users = CardPart.of("users", names).within(LONG);
    private final CardField<Name> author = users.by(Post::author);

    /** The originals; each was written by an author of the feed or by another one. */
    private final Lookup<String, Post> originals = new Lookup<>(id -> number(id) % 2 == 0
            ? Post.of("author" + number(id) % CardFeed.AUTHORS, id, 1)
            : Post.of("stranger" + id, id, 1));

    private final CardField<Post> original =
            CardPart.of("originals", originals).within(LONG).by(article, Article::originalId);
    private final CardField<Name> originalAuthor = users.by(original, Post::author);

    private final Lookup<String, Integer> numbers = new Lookup<>(CardFeed::number);
    private final CardField<Integer> count =
            CardPart.of("counts", numbers).within(LONG).orElse(0).by(Post::id);

    private PostLoader<Article> loader(Function<Post, Boolean> exists) {
        return posts -> {
            contentCalls.add(posts);
            return posts.stream()
                    .filter(exists::apply)
                    .collect(Collectors.toMap(Function.identity(), post -> article(number(post.id()))));
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20, 1000})
    @DisplayName("takes one call of each part in a wave, whatever its size")
    void callsPerWave(int size) {
        PageAssembly cards = PageAssembly.of(article, author, count, original, originalAuthor);
        try (CardFeed feed = new CardFeed(size + 3)) {
            FeedPage<Card> page = feed.page(size, cards);
            assertThat(page.items()).hasSize(size);
            assertThat(contentCalls).hasSize(1);
            assertThat(numbers.calls).hasSize(1);
            boolean reposts =
                    page.items().stream().anyMatch(card -> card.get(article).originalId() != null);
            assertThat(originals.calls).hasSize(reposts ? 1 : 0);
            assertThat(names.calls).hasSizeLessThanOrEqualTo(reposts ? 2 : 1);
            assertThat(numbers.keys()).hasSize(size);
            assertThat(names.calls.get(0)).hasSize(Math.min(size, CardFeed.AUTHORS));
        }
    }

    @Test
    @DisplayName("has each value on its card, in the order of the page, with the page's cursors")
    void values() {
        PageAssembly cards = PageAssembly.of(article, author, count, original, originalAuthor);
        try (CardFeed feed = new CardFeed(50)) {
            FeedPage<Card> page = feed.page(20, cards);
            FeedPage<Post> plain = feed.engine.read("ann", PageRequest.first(20));
            assertThat(page.items()).extracting(Card::post).containsExactlyElementsOf(plain.items());
            assertThat(page.older()).isEqualTo(plain.older());
            assertThat(page.newer()).isEqualTo(plain.newer());
            assertThat(page.items()).allSatisfy(card -> {
                int number = number(card.post().id());
                assertThat(card.get(article)).isEqualTo(article(number));
                assertThat(card.find(author)).contains(new Name("name of author" + number % CardFeed.AUTHORS));
                assertThat(card.get(count)).isEqualTo(number);
                Optional<String> originalId =
                        Optional.ofNullable(article(number).originalId());
                assertThat(card.find(original).map(Post::id)).isEqualTo(originalId);
                assertThat(card.find(originalAuthor))
                        .isEqualTo(card.find(original).map(post -> new Name("name of " + post.author())));
                assertThat(card.hasFailed(originalAuthor)).isFalse();
            });
            assertThat(page.items()).anyMatch(card -> card.find(originalAuthor).isPresent());
            assertThat(feed.failures).isEmpty();
        }
    }

    @Test
    @DisplayName("asks a part of two waves only for the keys that are new in the second wave")
    void newKeysOnly() {
        PageAssembly cards = PageAssembly.of(article, author, originalAuthor);
        try (CardFeed feed = new CardFeed(50)) {
            feed.page(40, cards);
            assertThat(names.calls).hasSize(2);
            assertThat(names.calls.get(0)).hasSize(CardFeed.AUTHORS).allMatch(id -> id.startsWith("author"));
            assertThat(names.calls.get(1)).isNotEmpty().allMatch(id -> id.startsWith("stranger"));
        }
    }

    @Test
    @DisplayName("does not call a part again whose keys of the second wave are all known")
    void noNewKeys() {
        CardField<Name> again = users.by(author, name -> name.text().replace("name of ", ""));
        try (CardFeed feed = new CardFeed(9)) {
            FeedPage<Card> page = feed.page(9, PageAssembly.of(article, author, again));
            assertThat(names.calls).hasSize(1);
            assertThat(page.items())
                    .allSatisfy(card -> assertThat(card.find(again)).isEqualTo(card.find(author)));
        }
    }

    @Test
    @DisplayName("asks a part for all its fields of a wave in one call, and for a missing key only once")
    void fieldsOfOnePart() {
        Lookup<String, String> lookup = new Lookup<>(id -> id.startsWith("p") ? id : null);
        CardPart<String, String> part = CardPart.of("part", lookup);
        CardField<String> byId = part.by(Post::id);
        CardField<String> byTitle = part.by(article, Article::title);
        CardField<String> later = part.by(byId, id -> "title1");
        try (CardFeed feed = new CardFeed(2)) {
            FeedPage<Card> page = feed.page(2, PageAssembly.of(article, byId, byTitle, later));
            assertThat(lookup.calls).containsExactly(Set.of("p0", "p1", "title0", "title1"));
            assertThat(page.items()).extracting(card -> card.find(byTitle)).containsOnly(Optional.empty());
            assertThat(page.items()).noneMatch(card -> card.hasFailed(byTitle) || card.hasFailed(later));
        }
    }

    @Test
    @DisplayName("is filled with further posts if content is gone, and calls each part once for the full page")
    void refill() {
        CardField<Article> half = CardField.content(loader(post -> number(post.id()) % 2 == 0));
        try (CardFeed feed = new CardFeed(100)) {
            FeedPage<Card> page = feed.page(20, PageAssembly.of(half, author, count));
            assertThat(page.items())
                    .extracting(card -> number(card.post().id()))
                    .containsExactlyElementsOf(
                            IntStream.range(0, 20).mapToObj(i -> 98 - 2 * i).toList());
            assertThat(contentCalls).hasSizeGreaterThan(1);
            assertThat(names.calls).hasSize(1);
            assertThat(numbers.calls).hasSize(1);
            assertThat(numbers.keys()).hasSize(20);
        }
    }

    @Test
    @DisplayName("calls no part for an empty page")
    void empty() {
        CardField<Article> gone = CardField.content(loader(post -> false));
        try (CardFeed feed = new CardFeed(10)) {
            FeedPage<Card> page = feed.page(5, PageAssembly.of(gone, author, count));
            assertThat(page.items()).isEmpty();
            assertThat(names.calls).isEmpty();
            assertThat(numbers.calls).isEmpty();
        }
    }

    @Test
    @DisplayName("loads the fields that keys come from, also if they are not named")
    void sources() {
        try (CardFeed feed = new CardFeed(10)) {
            FeedPage<Card> page = feed.page(10, PageAssembly.of(article, originalAuthor));
            assertThat(page.items())
                    .filteredOn(card -> card.get(article).originalId() != null)
                    .isNotEmpty()
                    .allMatch(card -> card.find(original).isPresent());
        }
    }

    @Test
    @DisplayName("takes three waves if keys come from values of values")
    void threeWaves() {
        List<String> order = new CopyOnWriteArrayList<>();
        CardField<String> first = step("first", order).by(Post::id);
        CardField<String> second = step("second", order).by(first, value -> value);
        CardField<String> third = step("third", order).by(second, value -> value);
        try (CardFeed feed = new CardFeed(1)) {
            Card card = feed.card(PageAssembly.of(article, third, first));
            assertThat(card.find(third)).contains("p0/first/second/third");
            assertThat(order).containsExactly("first", "second", "third");
        }
    }

    private static CardPart<String, String> step(String name, List<String> order) {
        return CardPart.of(name, new Lookup<String, String>(key -> {
            order.add(name);
            return key + "/" + name;
        }));
    }

    @Test
    @DisplayName("runs the parts of a wave at the same time, not on the reading thread")
    void parallel() {
        CyclicBarrier all = new CyclicBarrier(3);
        Lookup<String, String> lookup = new Lookup<>(key -> {
            try {
                all.await(20, TimeUnit.SECONDS);
                return key;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        List<CardField<String>> fields = IntStream.range(0, 3)
                .mapToObj(i -> CardPart.of("part" + i, lookup).within(LONG).by(Post::id))
                .toList();
        try (CardFeed feed = new CardFeed(1)) {
            Card card = feed.card(PageAssembly.of(article, fields.toArray(CardField<?>[]::new)));
            assertThat(fields).allMatch(field -> card.find(field).isPresent());
            assertThat(lookup.threads)
                    .doesNotContain(Thread.currentThread())
                    .allMatch(thread -> thread.getName().startsWith("card-feed-cards-"))
                    .allMatch(Thread::isDaemon);
        }
    }

    @Test
    @DisplayName("runs the parts on the host's executor, which stays open")
    void hostsExecutor() {
        ExecutorService executor = Executors.newSingleThreadExecutor(call -> new Thread(call, "of-the-host"));
        try (CardFeed feed = new CardFeed(3)) {
            feed.page(3, PageAssembly.of(article, author, count).on(executor));
            assertThat(names.threads).extracting(Thread::getName).containsExactly("of-the-host");
            assertThat(numbers.threads).extracting(Thread::getName).containsExactly("of-the-host");
            feed.engine.close();
            assertThat(executor.isShutdown()).isFalse();
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    @DisplayName("may run its parts one by one on the reading thread")
    void callersThread() {
        try (CardFeed feed = new CardFeed(3)) {
            FeedPage<Card> page = feed.page(
                    3, PageAssembly.of(article, author, count, originalAuthor).on(Runnable::run));
            assertThat(page.items()).allMatch(card -> card.find(author).isPresent());
            assertThat(names.threads).containsOnly(Thread.currentThread());
            assertThat(feed.failures).isEmpty();
        }
    }

    @Test
    @DisplayName("is read of an author's posts, too, for a reader")
    void author() {
        List<String> readers = new CopyOnWriteArrayList<>();
        CardField<Boolean> mine = CardPart.forReader("mine", (String reader, Set<String> authors) -> {
                    readers.add(reader);
                    return Map.of("author2", reader.equals("author2"));
                })
                .orElse(false)
                .by(Post::author);
        try (CardFeed feed = new CardFeed(20)) {
            PageAssembly cards = PageAssembly.of(article, mine);
            FeedPage<Card> page = feed.engine.readAuthor("author2", PageRequest.first(3), "ann", cards);
            assertThat(page.items()).extracting(Card::post).containsExactly(post(17), post(12), post(7));
            assertThat(page.older()).isPresent();
            assertThat(page.items()).noneMatch(card -> card.get(mine));
            page = feed.engine.readAuthor("author2", PageRequest.first(3), "author2", cards);
            assertThat(page.items()).allMatch(card -> card.get(mine));
            assertThat(readers).containsExactly("ann", "author2");
        }
    }

    @Test
    @DisplayName("gives the keys in the order of the cards, in a set that cannot be changed")
    void order() {
        List<List<String>> keys = new CopyOnWriteArrayList<>();
        List<Boolean> refused = new CopyOnWriteArrayList<>();
        CardField<String> field = CardPart.of("ids", (Set<String> ids) -> {
                    keys.add(List.copyOf(ids));
                    try {
                        refused.add(!ids.remove("p1"));
                    } catch (UnsupportedOperationException e) {
                        refused.add(true);
                    }
                    return Map.of("p1", "one");
                })
                .by(Post::id);
        try (CardFeed feed = new CardFeed(3)) {
            feed.page(3, PageAssembly.of(article, field));
            assertThat(keys).containsExactly(List.of("p2", "p1", "p0"));
            assertThat(refused).containsExactly(true);
        }
    }

    @Test
    @DisplayName("can be read by 64 threads at once with one assembly")
    void manyThreads() throws Exception {
        PageAssembly cards = PageAssembly.of(article, author, count, original, originalAuthor);
        ExecutorService threads = Executors.newFixedThreadPool(64);
        try (CardFeed feed = new CardFeed(60)) {
            FeedPage<Card> expected = feed.page(20, cards);
            CyclicBarrier start = new CyclicBarrier(64);
            List<Callable<FeedPage<Card>>> reads = IntStream.range(0, 64)
                    .<Callable<FeedPage<Card>>>mapToObj(i -> () -> {
                        start.await(20, TimeUnit.SECONDS);
                        return feed.page(20, cards);
                    })
                    .toList();
            List<FeedPage<Card>> pages = new ArrayList<>();
            for (Future<FeedPage<Card>> page : threads.invokeAll(reads)) {
                pages.add(page.get());
            }
            assertThat(pages).allSatisfy(page -> assertThat(page.items()).isEqualTo(expected.items()));
            assertThat(expected.items()).noneMatch(card -> card.hasFailed(author));
            assertThat(feed.failures).isEmpty();
            assertThat(numbers.calls).hasSize(65);
            assertThat(names.calls).hasSize(2 * 65);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @DisplayName("has cards that are equal if post and values are, and says what it consists of")
    void described() {
        PageAssembly cards = PageAssembly.of(article, author, count);
        try (CardFeed feed = new CardFeed(2)) {
            List<Card> items = feed.page(2, cards).items();
            List<Card> again = feed.page(2, cards).items();
            assertThat(again).isEqualTo(items).hasSameHashCodeAs(items);
            assertThat(items.get(0)).isNotEqualTo(items.get(1));
            assertThat(items.get(0)).hasToString("Card[" + post(1) + "]");
        }
        assertThat(cards).hasToString("PageAssembly[content, users, counts]");
        assertThat(users).hasToString("CardPart[users within PT30S]");
        assertThat(author).hasToString("CardField[users]");
        assertThat(users.name()).isEqualTo("users");
    }
}

package io.feedkit.bench.live;

import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.cards.Card;
import io.feedkit.cards.CardField;
import io.feedkit.cards.CardPart;
import io.feedkit.cards.CardParts;
import io.feedkit.cards.PageAssembly;
import io.feedkit.counter.Counters;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Reactions.Reaction;
import io.feedkit.redis.RedisCounterStore;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisServers;
import io.feedkit.testservers.Durability;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A page of cards with an author, two counters and "liked by me", against its slowest part: the authors, who take 10
 * milliseconds. The page and the numbers are in Redis.
 */
final class CardCost implements Measurement {

    private static final int PAGE = 20;
    private static final long AUTHORS_MILLIS = 10;
    private static final String SHARES = "shares";
    private static final String COMMENTS = "comments";

    @Override
    public String name() {
        return "cards";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                RedisFeedStore store = redis.store();
                RedisCounterStore numbers = RedisCounterStore.create(RedisServers.at(redis.uri()));
                FullFeed feed = new FullFeed(store)) {
            Page page = new Page(feed, Counters.of(numbers), Reactions.of(numbers));
            Clocked clock = Clocked.of(scale);
            Rounds rounds = Rounds.of(scale);
            PageAssembly cards = page.cards();
            page.requireComplete(cards);
            Runnable withCards = () -> page.read(cards);
            return List.of(
                    Figure.of(
                            name() + ": page of 20 with four parts (against the slowest part alone)",
                            "ms",
                            rounds.medians(() -> clock.millis(withCards), () -> clock.millis(page::slowest)),
                            new Target.RatioAtMost(1.3)),
                    Figure.of(
                            name() + ": page of 20 with four parts (against the page, then the slowest part)",
                            "ms",
                            rounds.medians(
                                    () -> clock.millis(withCards),
                                    () -> clock.millis(() -> {
                                        page.plain();
                                        page.slowest();
                                    })),
                            Target.NONE),
                    Figure.of(
                            name() + ": page of 20 with four parts (against the page, then one part after the other)",
                            "ms",
                            rounds.medians(() -> clock.millis(withCards), () -> clock.millis(page::oneByOne)),
                            Target.NONE));
        }
    }

    private record Page(FullFeed feed, Counters counters, Reactions likes) {

        Page {
            List<String> ids = feed.posts().stream().map(Post::id).toList();
            Map<String, Long> amounts = ids.stream().collect(Collectors.toMap(Function.identity(), id -> 7L));
            counters.add(SHARES, amounts);
            counters.add(COMMENTS, amounts);
            List<Reaction> reactions =
                    ids.stream().map(id -> new Reaction(FullFeed.READER, id)).toList();
            likes.add(reactions);
        }

        PageAssembly cards() {
            CardPart<String, String> author = CardPart.of("authors", Page::authors);
            return PageAssembly.of(
                    CardField.content(Page::contents),
                    author.by(Post::author),
                    CardParts.counter(SHARES, counters).by(Post::id),
                    CardParts.counter(COMMENTS, counters).by(Post::id),
                    CardParts.reacted("liked", likes).by(Post::id));
        }

        private static Map<Post, String> contents(Collection<Post> posts) {
            Map<Post, String> contents = new HashMap<>();
            posts.forEach(post -> contents.put(post, post.id()));
            return contents;
        }

        private static Map<String, String> authors(Set<String> ids) {
            HeapWatch.pause(AUTHORS_MILLIS);
            Map<String, String> names = new HashMap<>();
            ids.forEach(id -> names.put(id, "Author " + id));
            return names;
        }

        FeedPage<Card> read(PageAssembly cards) {
            return feed.engine().read(FullFeed.READER, PageRequest.first(PAGE), cards);
        }

        void requireComplete(PageAssembly cards) {
            List<Card> items = read(cards).items();
            if (items.size() != PAGE) {
                throw new IllegalStateException("the page must have " + PAGE + " cards, but has " + items.size());
            }
        }

        List<String> plain() {
            return feed.engine()
                    .read(FullFeed.READER, PageRequest.first(PAGE), Page::contents)
                    .items();
        }

        void slowest() {
            Set<String> ids = new LinkedHashSet<>();
            feed.posts().subList(0, PAGE).forEach(post -> ids.add(post.author()));
            authors(ids);
        }

        void oneByOne() {
            List<String> ids = plain();
            slowest();
            counters.get(SHARES, ids);
            counters.get(COMMENTS, ids);
            likes.reacted(FullFeed.READER, ids);
        }
    }
}

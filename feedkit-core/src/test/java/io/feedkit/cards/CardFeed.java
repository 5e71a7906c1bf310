package io.feedkit.cards;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.event.CardPartFailed;
import io.feedkit.event.FeedListener;
import io.feedkit.fanout.FanoutPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** A real engine in memory: Ann follows five authors, who publish in turn. It records failures of parts. */
final class CardFeed implements AutoCloseable {

    static final int AUTHORS = 5;

    final List<CardPartFailed> failures = new CopyOnWriteArrayList<>();
    final FeedEngine engine = FeedEngine.inMemory()
            .name("card-feed")
            .policy(FanoutPolicy.pull())
            .workers(0)
            .listener(new FeedListener() {
                @Override
                public void cardPartFailed(CardPartFailed event) {
                    failures.add(event);
                }
            })
            .build();

    /** Posts p0, p1, ..., of which the last is the newest. */
    CardFeed(int posts) {
        IntStream.range(0, AUTHORS).forEach(i -> engine.follow("ann", "author" + i));
        Collection<Post> all = new ArrayList<>();
        IntStream.range(0, posts).forEach(i -> all.add(post(i)));
        engine.publishAll(all);
    }

    static Post post(int number) {
        return Post.of("author" + number % AUTHORS, "p" + number, 1_000_000 + number);
    }

    /** The number of a post. */
    static int number(String id) {
        return Integer.parseInt(id.substring(1));
    }

    FeedPage<Card> page(int limit, PageAssembly cards) {
        return engine.read("ann", PageRequest.first(limit), cards);
    }

    Card card(PageAssembly cards) {
        return page(1, cards).items().get(0);
    }

    @Override
    public void close() {
        engine.close();
    }
}

package io.feedkit.redis.survival;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Truth;
import java.util.Optional;

/** What the outbox holds. */
final class Stored {

    private static final int PAGE = 100;

    private Stored() {}

    static Truth in(Node node, Members members) {
        Truth stored = new Truth();
        members.authors().forEach(author -> add(node.engine(), author, stored));
        return stored;
    }

    private static void add(FeedEngine feed, String author, Truth stored) {
        Optional<PageRequest> next = Optional.of(PageRequest.first(PAGE));
        while (next.isPresent()) {
            FeedPage<Post> page = feed.readAuthor(author, next.get());
            page.items().forEach(stored::published);
            next = page.older().map(Stored::below);
        }
    }

    private static PageRequest below(Cursor cursor) {
        return PageRequest.older(cursor, PAGE);
    }
}

package io.feedkit.internal.read;

import io.feedkit.Post;
import io.feedkit.internal.paging.ReadPage;
import io.feedkit.internal.paging.ShownPosts;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads pages of one author's own posts. Thread-safe. */
public final class AuthorReader {

    private final Outbox outbox;

    public AuthorReader(Outbox outbox) {
        this.outbox = outbox;
    }

    /** Reads a page of an author's posts, without the posts in {@code before}. */
    public ReadPage<Post> read(String author, PositionRange range, Order order, int limit, ShownPosts before) {
        PageQuery query = new PageQuery(Set.of(author), range, order, limit + 1 + before.size());
        List<Post> posts = outbox.page(query).stream()
                .filter(post -> !before.contains(post))
                .toList();
        Optional<Position> resume =
                posts.size() > limit ? Optional.of(Position.of(posts.get(limit - 1))) : Optional.empty();
        List<Post> shown = new ArrayList<>(posts.subList(0, Math.min(limit, posts.size())));
        if (order == Order.OLDEST_FIRST) {
            Collections.reverse(shown);
        }
        return new ReadPage<>(shown, shown, resume, Set.of());
    }
}

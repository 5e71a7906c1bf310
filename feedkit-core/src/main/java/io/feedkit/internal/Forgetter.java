package io.feedkit.internal;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Removes all that is kept about a user, page by page; can be repeated from any point. Thread-safe. */
public final class Forgetter {

    private static final int PAGE = 500;

    private final Parts parts;
    private final Publisher publisher;
    private final Follows follows;

    public Forgetter(Parts parts, Publisher publisher, Follows follows) {
        this.parts = parts;
        this.publisher = publisher;
        this.follows = follows;
    }

    /** Forgets a user. */
    public void forget(String user) {
        deletePosts(user);
        FollowGraph graph = parts.graph();
        if (graph instanceof WritableFollowGraph writable) {
            eachPage(
                    after -> graph.followees(user, after, PAGE),
                    author -> follows.unfollow(user, List.of(author), some -> remove(writable, user, author)));
            eachPage(
                    after -> graph.followers(List.of(new FollowerQuery(user, KeyRange.ALL, after, PAGE)))
                            .get(0),
                    reader -> follows.unfollow(reader, List.of(user), some -> remove(writable, reader, user)));
        }
        Entry entry = parts.register().refresh().pulled().get(user);
        if (entry != null) {
            parts.register().remove(user, entry.version());
        }
        parts.heads().forget(user);
        parts.inbox().drop(List.of(user));
        parts.seenMarks().forget(List.of(user));
    }

    private void deletePosts(String author) {
        PageQuery query = new PageQuery(Set.of(author), PositionRange.ALL, Order.NEWEST_FIRST, PAGE);
        List<PostKey> keys;
        do {
            keys = parts.outbox().page(query).stream().map(Post::key).toList();
            if (!keys.isEmpty()) {
                publisher.delete(keys);
            }
        } while (keys.size() == PAGE);
    }

    private static List<Boolean> remove(WritableFollowGraph graph, String reader, String author) {
        return graph.remove(List.of(new Edge(reader, author)));
    }

    private interface Action {
        void accept(String id);
    }

    private static void eachPage(Function<String, IdPage> pages, Action action) {
        String after = "";
        IdPage page;
        do {
            page = pages.apply(after);
            page.ids().forEach(action::accept);
            if (page.more()) {
                after = page.ids().get(page.ids().size() - 1);
            }
        } while (page.more());
    }
}

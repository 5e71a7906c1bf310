package io.feedkit.internal.engine;

import io.feedkit.Post;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.cache.Registered;
import io.feedkit.internal.inbox.Follows;
import io.feedkit.internal.publish.Deleter;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Removes all data of a user, page by page. After a failure it can be repeated. Thread-safe. */
public final class UserEraser {

    private static final int PAGE = 500;

    private final Outbox outbox;
    private final Deleter deleter;
    private final FollowGraph graph;
    private final Follows follows;
    private final RegisterCache registerCache;
    private final List<Consumer<String>> others;

    /**
     * An eraser of these parts.
     *
     * @param others what else keeps data of users, in the order in which it is deleted
     */
    public UserEraser(
            Outbox outbox,
            Deleter deleter,
            FollowGraph graph,
            Follows follows,
            RegisterCache registerCache,
            List<Consumer<String>> others) {
        this.outbox = outbox;
        this.deleter = deleter;
        this.graph = graph;
        this.follows = follows;
        this.registerCache = registerCache;
        this.others = others;
    }

    /**
     * Deletes a user's posts, follow edges, register entry, inbox, seen marks, ranked orders and presence. Edges are
     * deleted only if the graph is writable.
     */
    public void forget(String user) {
        deletePosts(user);
        if (graph instanceof WritableFollowGraph writable) {
            eachPage(
                    after -> graph.followees(user, after, PAGE),
                    author -> follows.unfollow(user, List.of(author), some -> remove(writable, user, author)));
            eachPage(
                    after -> graph.followers(List.of(new FollowerQuery(user, KeyRange.ALL, after, PAGE)))
                            .get(0),
                    reader -> follows.unfollow(reader, List.of(user), some -> remove(writable, reader, user)));
        }
        Registered registered = registerCache.latest(Set.of(user)).registered().get(user);
        Entry entry = registered == null ? null : registered.entry();
        if (entry != null) {
            registerCache.remove(user, entry.version());
        }
        others.forEach(each -> each.accept(user));
    }

    private void deletePosts(String author) {
        PositionRange rest = PositionRange.ALL;
        List<Post> posts;
        do {
            posts = outbox.page(new PageQuery(Set.of(author), rest, Order.NEWEST_FIRST, PAGE));
            if (!posts.isEmpty()) {
                deleter.delete(posts.stream().map(Post::key).toList());
                rest = PositionRange.below(Position.of(posts.get(posts.size() - 1)));
            }
        } while (posts.size() == PAGE);
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

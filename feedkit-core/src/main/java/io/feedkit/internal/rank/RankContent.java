package io.feedkit.internal.rank;

import io.feedkit.Post;
import io.feedkit.PostFilter;
import io.feedkit.PostLoader;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedCallbacks;
import io.feedkit.internal.rank.RankedPosts.Ranked;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns the posts of a ranking into the items that a page shows. The host's callbacks get posts newest first. */
@FunctionalInterface
interface RankContent<T> {

    /**
     * What a page shows for a post.
     *
     * @param place the place of the post in the ranking
     */
    record Item<T>(int place, T value) {}

    /** The items for some posts, in the order of the posts; posts without content are left out. */
    List<Item<T>> of(List<Ranked> posts);

    /** Content that consists of the posts themselves. */
    static RankContent<Post> posts() {
        return posts -> posts.stream()
                .map(ranked -> new Item<>(ranked.place(), ranked.post()))
                .toList();
    }

    /** Content that the host loads. */
    static <T> RankContent<T> loadedBy(PostLoader<T> loader) {
        return posts -> GuardedCallbacks.call("loader", () -> {
            Map<Post, T> content = loader.load(newestFirst(posts));
            List<Item<T>> items = new ArrayList<>(posts.size());
            for (Ranked ranked : posts) {
                T value = content.get(ranked.post());
                if (value != null) {
                    items.add(new Item<>(ranked.place(), value));
                }
            }
            return items;
        });
    }

    /** The posts that the host lets a reader see. */
    static List<Ranked> visible(PostFilter filter, String reader, List<Ranked> posts) {
        if (posts.isEmpty() || filter == EngineSettings.SHOW_ALL) {
            return posts;
        }
        Set<Post> visible =
                GuardedCallbacks.call("filter", () -> new HashSet<>(filter.visible(reader, newestFirst(posts))));
        return posts.stream().filter(ranked -> visible.contains(ranked.post())).toList();
    }

    private static List<Post> newestFirst(List<Ranked> posts) {
        Comparator<Post> newestFirst = (a, b) -> Position.compare(b, a);
        return posts.stream().map(Ranked::post).sorted(newestFirst).toList();
    }
}

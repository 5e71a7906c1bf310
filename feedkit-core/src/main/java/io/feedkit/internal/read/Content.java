package io.feedkit.internal.read;

import io.feedkit.Post;
import io.feedkit.PostFilter;
import io.feedkit.PostLoader;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedCallbacks;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns posts into the items that a page shows. */
@FunctionalInterface
interface Content<T> {

    /** A post, and the value that a page shows for it. */
    record Item<T>(FeedEntry entry, T value) {

        Position place() {
            return Position.of(entry.post());
        }
    }

    /** The items for some entries, in the order of the entries; entries without content are left out. */
    List<Item<T>> of(List<FeedEntry> entries);

    /** Content that consists of the posts themselves. */
    static Content<Post> posts() {
        return entries ->
                entries.stream().map(entry -> new Item<>(entry, entry.post())).toList();
    }

    /** Content that the host loads. */
    static <T> Content<T> loadedBy(PostLoader<T> loader) {
        return entries -> {
            List<Post> posts = newestFirst(entries);
            return GuardedCallbacks.call("loader", () -> {
                Map<Post, T> content = loader.load(posts);
                List<Item<T>> items = new ArrayList<>(entries.size());
                for (FeedEntry entry : entries) {
                    T value = content.get(entry.post());
                    if (value != null) {
                        items.add(new Item<>(entry, value));
                    }
                }
                return items;
            });
        };
    }

    /** The entries that the host lets a reader see. */
    static List<FeedEntry> visible(PostFilter filter, String reader, List<FeedEntry> entries) {
        if (entries.isEmpty() || filter == EngineSettings.SHOW_ALL) {
            return entries;
        }
        List<Post> posts = newestFirst(entries);
        Set<Post> visible = GuardedCallbacks.call("filter", () -> new HashSet<>(filter.visible(reader, posts)));
        return entries.stream().filter(entry -> visible.contains(entry.post())).toList();
    }

    /** The posts of entries that are in the order of the walk, newest first. */
    private static List<Post> newestFirst(List<FeedEntry> entries) {
        List<Post> posts = new ArrayList<>(entries.size());
        entries.forEach(entry -> posts.add(entry.post()));
        if (Position.compare(posts.get(0), posts.get(posts.size() - 1)) < 0) {
            Collections.reverse(posts);
        }
        return Collections.unmodifiableList(posts);
    }
}

package io.feedkit.spring.internal.web;

import io.feedkit.FeedPage;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A page as clients see it.
 *
 * @param items the posts, or the application's content
 * @param older the link to older posts; null at the end of the feed
 * @param newer the link to newer posts
 * @param moreNewer whether there are more newer posts already
 * @param caveats what the page may lack
 */
public record FeedPageBody(
        List<?> items, @Nullable String older, String newer, boolean moreNewer, List<String> caveats) {

    /**
     * Makes the body of a page.
     *
     * @param link makes a link of the name of a parameter and a cursor
     */
    public static FeedPageBody of(FeedPage<?> page, BiFunction<String, String, String> link) {
        return new FeedPageBody(
                page.items(),
                page.older()
                        .map(cursor -> link.apply(PageParameters.OLDER, cursor.toString()))
                        .orElse(null),
                link.apply(PageParameters.NEWER, page.newer().toString()),
                page.moreNewer(),
                page.caveats().stream().map(Enum::name).sorted().toList());
    }
}

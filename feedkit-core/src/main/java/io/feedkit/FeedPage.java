package io.feedkit;

import static io.feedkit.internal.check.Arguments.nonNull;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * One page of a feed: its posts, or the content that the host loads for them. Immutable.
 *
 * @param <T> a post, or the host's content
 * @since 0.1.0
 */
public final class FeedPage<T> {

    /** Why a page may be incomplete or stale. */
    public enum Caveat {

        /** The source of truth could not be reached: see {@link FeedEngineBuilder.ReadSettings#staleIfError}. */
        STALE,

        /**
         * The reader follows more authors than the limit, and the page covers only some of them: see
         * {@link FeedEngineBuilder#maxFollowees}.
         */
        SOME_FOLLOWEES,

        /**
         * Only on a first {@linkplain FeedEngine#ranked ranked} page: the order could not be saved, because its store
         * is down. There are more posts, but no next page. A new ranking may succeed later.
         */
        ORDER_NOT_SAVED
    }

    private record Values<T>(
            List<T> items, Optional<Cursor> older, Cursor newer, boolean moreNewer, Set<Caveat> caveats) {}

    private final Values<T> values;

    FeedPage(List<T> items, Optional<Cursor> older, Cursor newer, boolean moreNewer, Set<Caveat> caveats) {
        values = new Values<>(List.copyOf(items), older, newer, moreNewer, Set.copyOf(caveats));
    }

    /**
     * The posts or their content, newest first. A page with few items, or none, is not necessarily the last.
     *
     * <p>On a page of {@link PageRequest#newer}, posts that arrived late are in the order of time, below the new posts.
     * The client may already show posts that belong between them.
     *
     * @return the items
     */
    public List<T> items() {
        return values.items;
    }

    /**
     * Where older posts begin: directly below the lowest post of the page, whether or not the client already shows
     * them. On a page read downwards, the cursor is absent only at the end of the feed, or at the end that
     * {@link PageRequest#until} sets. On a page read upwards, it is absent only if the page is empty.
     *
     * @return a cursor for {@link PageRequest#older}
     */
    public Optional<Cursor> older() {
        return values.older;
    }

    /**
     * Where newer posts begin; always present. For an empty page it is the cursor of the request; for an empty first
     * page, the time of the request by the engine's clock, with a lookback of two minutes.
     *
     * @return a cursor for {@link PageRequest#newer}
     */
    public Cursor newer() {
        return values.newer;
    }

    /**
     * Whether a page read upwards ended before the top of the feed, or before its {@link PageRequest#until}; always
     * false on a page read downwards.
     *
     * @return true if further posts may follow
     */
    public boolean moreNewer() {
        return values.moreNewer;
    }

    /**
     * Why the page may be incomplete or stale; empty unless a setting of the host allows such pages.
     *
     * @return the caveats
     */
    public Set<Caveat> caveats() {
        return values.caveats;
    }

    /** Whether a page read upwards reached the top of the feed without a post. */
    boolean isEmptyAtTop() {
        return items().isEmpty() && !moreNewer() && caveats().isEmpty();
    }

    /**
     * Returns this page with converted items, for example for a web layer. The cursors and caveats stay as they are. To
     * load content of posts, pass a loader to {@link FeedEngine#read(String, PageRequest, PostLoader)}: it leaves out
     * posts without content, and fills the page with further posts.
     *
     * @param mapper returns the new item for each item, in the order of the page; never null
     * @return a page with the same number of items
     * @param <R> the type of the new items
     */
    public <R> FeedPage<R> map(Function<? super T, ? extends R> mapper) {
        nonNull("mapper", mapper);
        List<R> mapped = items().stream()
                .<R>map(item -> nonNull("the mapper's item", mapper.apply(item)))
                .toList();
        return new FeedPage<>(mapped, older(), newer(), moreNewer(), caveats());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FeedPage<?> that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "FeedPage");
    }
}

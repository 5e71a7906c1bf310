package io.feedkit.rank;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.FeedPage.Caveat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * One page of a ranked feed: its posts, or the content that the host loads for them. Immutable.
 *
 * @param <T> a post, or the host's content
 * @since 0.1.0
 */
@Beta
public final class RankedPage<T> {

    private record Values<T>(List<T> items, Optional<RankCursor> next, Set<Caveat> caveats) {}

    private final Values<T> values;

    private RankedPage(List<T> items, Optional<RankCursor> next, Set<Caveat> caveats) {
        values = new Values<>(List.copyOf(items), next, Set.copyOf(caveats));
    }

    /**
     * Creates a page, also for a host's tests.
     *
     * @param items the items, the highest score first
     * @param next where the next page begins; empty at the end
     * @param caveats why the page may be incomplete or stale
     * @param <T> the type of the items
     * @return the page
     */
    public static <T> RankedPage<T> of(List<T> items, Optional<RankCursor> next, Set<Caveat> caveats) {
        return new RankedPage<>(nonNull("items", items), nonNull("next", next), nonNull("caveats", caveats));
    }

    /**
     * The posts or their content, the highest score first. A page has fewer items than its limit only at the end.
     *
     * @return the items
     */
    public List<T> items() {
        return values.items;
    }

    /**
     * Where the next page begins. It is absent at the end of the candidates, and if the page has the caveat
     * {@link Caveat#ORDER_NOT_SAVED}.
     *
     * @return a cursor for {@link RankRequest#after}
     */
    public Optional<RankCursor> next() {
        return values.next;
    }

    /**
     * Why the page may be incomplete or stale. The caveats of the first page are repeated on the later pages of a walk.
     *
     * @return the caveats
     */
    public Set<Caveat> caveats() {
        return values.caveats;
    }

    /**
     * Returns this page with converted items, for example for a web layer. To load content of posts, pass a loader to
     * {@link io.feedkit.FeedEngine#ranked}: it leaves out posts without content, and fills the page with further posts.
     *
     * @param mapper returns the new item for each item, in the order of the page; never null
     * @return a page with the same number of items
     * @param <R> the type of the new items
     */
    public <R> RankedPage<R> map(Function<? super T, ? extends R> mapper) {
        nonNull("mapper", mapper);
        List<R> mapped = items().stream()
                .<R>map(item -> nonNull("the mapper's item", mapper.apply(item)))
                .toList();
        return new RankedPage<>(mapped, next(), caveats());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RankedPage<?> that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString().replaceFirst("Values", "RankedPage");
    }
}

package io.feedkit;

import io.feedkit.internal.check.Arguments;
import java.util.List;
import java.util.Optional;

/**
 * One page of a list of followers or followees, in ascending order of the ids' bytes.
 *
 * <pre>{@code
 * FollowPage page = feed.followers("bob", 100);
 * while (page.next().isPresent()) {
 *     page = feed.followers("bob", page.next().get(), 100);
 * }
 * }</pre>
 *
 * <p>A walk over the pages lists each id once if the id is in the list from the first call to the last. It may or may
 * not list an id that is added or removed meanwhile. Immutable.
 *
 * @since 0.1.0
 */
public final class FollowPage {

    private final List<String> ids;
    private final boolean more;

    private FollowPage(List<String> ids, boolean more) {
        this.ids = ids;
        this.more = more;
    }

    /**
     * Creates a page, as the engine does; hosts need it in tests of their own.
     *
     * @param ids the ids, ascending by bytes
     * @param more whether there may be further ids above the last
     * @return the page
     * @throws IllegalArgumentException if {@code more} is true for an empty page
     */
    public static FollowPage of(List<String> ids, boolean more) {
        List<String> copy = List.copyOf(Arguments.nonNull("ids", ids));
        if (more && copy.isEmpty()) {
            throw new IllegalArgumentException("more must be false for an empty page");
        }
        return new FollowPage(copy, more);
    }

    /**
     * The ids of this page.
     *
     * @return the ids, ascending by bytes, without duplicates; unmodifiable
     */
    public List<String> ids() {
        return ids;
    }

    /**
     * Where the next page begins.
     *
     * @return the {@code after} of the next call; absent only at the end of the list
     */
    public Optional<String> next() {
        return more ? Optional.of(ids.get(ids.size() - 1)) : Optional.empty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FollowPage page && page.more == more && page.ids.equals(ids);
    }

    @Override
    public int hashCode() {
        return 31 * ids.hashCode() + Boolean.hashCode(more);
    }

    @Override
    public String toString() {
        return "FollowPage[ids=" + ids + ", next=" + next().orElse("none") + "]";
    }
}

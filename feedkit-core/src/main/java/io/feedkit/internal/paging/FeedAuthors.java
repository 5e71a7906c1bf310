package io.feedkit.internal.paging;

import java.util.HashSet;
import java.util.Set;

/**
 * The authors whose posts a page shows.
 *
 * @param followees whether those whom the reader follows are among them
 * @param others further ones
 */
public record FeedAuthors(boolean followees, Set<String> others) {

    /** The authors whom the reader follows. */
    public static final FeedAuthors FOLLOWEES = new FeedAuthors(true, Set.of());

    /** Copies the authors. */
    public FeedAuthors {
        others = Set.copyOf(others);
    }

    /** These authors and others. */
    public FeedAuthors and(Set<String> more) {
        Set<String> all = new HashSet<>(others);
        all.addAll(more);
        return new FeedAuthors(followees, all);
    }

    /** The others, without the reader's followees. */
    public FeedAuthors withoutFollowees() {
        return new FeedAuthors(false, others);
    }
}

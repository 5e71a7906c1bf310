package io.feedkit.internal.paging;

import java.util.HashSet;
import java.util.Set;

/**
 * The authors whose posts a page shows.
 *
 * @param followees whether the authors whom the reader follows are included
 * @param others further authors, whom the reader need not follow
 */
public record FeedAuthors(boolean followees, Set<String> others) {

    /** The authors whom the reader follows. */
    public static final FeedAuthors FOLLOWEES = new FeedAuthors(true, Set.of());

    /** Copies the authors. */
    public FeedAuthors {
        others = Set.copyOf(others);
    }

    /** Returns these authors and {@code more}. */
    public FeedAuthors and(Set<String> more) {
        Set<String> all = new HashSet<>(others);
        all.addAll(more);
        return new FeedAuthors(followees, all);
    }

    /** Returns the further authors alone, without the reader's followees. */
    public FeedAuthors withoutFollowees() {
        return new FeedAuthors(false, others);
    }
}

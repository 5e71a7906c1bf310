package io.feedkit.inspect;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import java.util.List;

/**
 * The authors whom a reader follows, as far as a feed is read from them.
 *
 * @param count how many authors the feed is read from, at most {@code maxFollowees}; the reader is not among them
 * @param cutOff whether the reader follows more than {@code maxFollowees} authors: then posts of the authors with the
 *     highest ids are not in the feed
 * @param first the first of these authors, by id, at most {@value ReaderState#MOST_LISTED}
 * @param pulledCount how many of these authors are in the pulled register
 * @param pulled the first of these, by id, at most {@value ReaderState#MOST_LISTED}
 * @since 0.1.0
 */
@Beta
public record FolloweeState(int count, boolean cutOff, List<String> first, int pulledCount, List<PulledAuthor> pulled) {
    /** Copies the lists. */
    public FolloweeState {
        first = List.copyOf(nonNull("first", first));
        pulled = List.copyOf(nonNull("pulled", pulled));
    }
}

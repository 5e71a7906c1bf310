package io.feedkit.rank;

import io.feedkit.Beta;
import io.feedkit.Post;
import java.util.List;

/**
 * Scores the candidates of a ranked feed. The posts with the highest scores are shown first. Posts with equal scores
 * are in the order of the feed, newest first; {@code -0.0} equals {@code 0.0}. A score may be negative or infinite. A
 * ranker leaves out no posts, not even with {@link Double#NEGATIVE_INFINITY}: to hide posts, use a
 * {@link io.feedkit.PostFilter}.
 *
 * <p>A ranker is called once for each walk, with all candidates, on the thread that reads the first page. It may ask
 * counters or services of the host, best in one call for all posts. It must be safe for use by many threads. If it
 * throws or returns an invalid result, the read throws a {@link io.feedkit.CallbackException}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
@Beta
public interface Ranker {

    /**
     * Scores posts.
     *
     * @param posts the candidates, newest first, at least one; unmodifiable
     * @param context whose feed it is, and when it is read
     * @return a score for each post, in the order of the posts; no score is {@link Double#NaN}
     */
    double[] scores(List<Post> posts, RankContext context);
}

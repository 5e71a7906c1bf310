package io.feedkit.internal.rank;

import io.feedkit.Post;
import io.feedkit.internal.host.GuardedCallbacks;
import io.feedkit.rank.RankContext;
import io.feedkit.rank.Ranker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** The scores that a host's ranker gives to candidates, and the order that they make. */
final class Scores {

    private Scores() {}

    /**
     * Orders posts by their scores.
     *
     * @param candidates the posts, newest first
     * @return the posts, the highest score first; posts with equal scores stay in their order
     * @throws io.feedkit.CallbackException if the ranker throws, or its scores are not valid
     */
    static List<Post> order(List<Post> candidates, Ranker ranker, RankContext context) {
        if (candidates.isEmpty()) {
            return candidates;
        }
        double[] scores = GuardedCallbacks.call("ranker", () -> checked(candidates, ranker, context));
        List<Integer> places = new ArrayList<>(scores.length);
        for (int i = 0; i < scores.length; i++) {
            places.add(i);
        }
        places.sort(Comparator.comparingDouble(place -> -scores[place]));
        return places.stream().map(candidates::get).toList();
    }

    /** A copy of the scores, without negative zeros, which {@link Double#compare} does not take for zeros. */
    private static double[] checked(List<Post> candidates, Ranker ranker, RankContext context) {
        double[] scores = ranker.scores(Collections.unmodifiableList(candidates), context);
        if (scores.length != candidates.size()) {
            throw new IllegalArgumentException(
                    "scores must be " + candidates.size() + ", one for each post, but are " + scores.length);
        }
        double[] checked = new double[scores.length];
        for (int i = 0; i < scores.length; i++) {
            if (Double.isNaN(scores[i])) {
                throw new IllegalArgumentException("scores[" + i + "] must be a number, but is NaN, for "
                        + candidates.get(i).key());
            }
            checked[i] = scores[i] + 0.0;
        }
        return checked;
    }
}

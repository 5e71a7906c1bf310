package io.feedkit.rank;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.Post;
import io.feedkit.counter.Reactions;
import io.feedkit.internal.check.Arguments;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Ready-made rankers. All are thread-safe, if the functions that they are given are.
 *
 * @since 0.1.0
 */
@Beta
public final class Rankers {

    /** How fast {@link #hot(Reactions)} lets posts sink: the value of Hacker News. */
    public static final double DEFAULT_GRAVITY = 1.8;

    private static final double MOST_GRAVITY = 10;

    /** Keeps the score of a new post finite, and lets the first reactions count before the age does. */
    private static final double HOURS_BEFORE = 2;

    private static final double HOUR_MILLIS = Duration.ofHours(1).toMillis();

    private Rankers() {}

    /**
     * The order of the feed itself: newest first.
     *
     * @return a ranker that gives all posts the same score
     */
    public static Ranker newest() {
        return (posts, context) -> new double[posts.size()];
    }

    /**
     * Ranks posts by their reactions and their age. Each is scored
     * <code>(1 + reactions) / (age in hours + 2)<sup>1.8</sup></code>, as by {@link #hot(Function, double)}.
     *
     * @param reactions the reactions, recorded under the ids of posts ({@link Post#id})
     * @return a ranker that reads the counts of all posts in one call
     */
    public static Ranker hot(Reactions reactions) {
        nonNull("reactions", reactions);
        return hot(posts -> counts(reactions, posts), DEFAULT_GRAVITY);
    }

    private static Map<Post, Long> counts(Reactions reactions, List<Post> posts) {
        List<Long> counts = reactions.get(posts.stream().map(Post::id).toList());
        Map<Post, Long> byPost = new HashMap<>();
        for (int i = 0; i < posts.size(); i++) {
            byPost.put(posts.get(i), counts.get(i));
        }
        return byPost;
    }

    /**
     * Ranks posts by their reactions and their age. Each is scored
     * <code>(1 + reactions) / (age in hours + 2)<sup>gravity</sup></code>. So a new post without reactions begins above
     * an old one, and a post needs more reactions the older it is.
     *
     * <p>The formula is that of Hacker News, as Paul Graham published it in {@code news.arc}
     * (<a href="https://news.ycombinator.com/item?id=1781013">source</a>), without its penalties and without its
     * exponent of the votes.
     *
     * @param reactions returns how many reactions the given posts have: likes, comments, shares, or a weighted sum.
     *     Posts that are left out have none
     * @param gravity how fast posts sink, 0 (never) to 10
     * @return a ranker that calls the function once for all posts
     * @throws IllegalArgumentException if the function is null, or the gravity is out of range
     */
    public static Ranker hot(
            Function<? super List<Post>, ? extends Map<Post, ? extends Number>> reactions, double gravity) {
        nonNull("reactions", reactions);
        if (!(gravity >= 0 && gravity <= MOST_GRAVITY)) {
            throw new IllegalArgumentException("gravity must be between 0 and 10, but is " + gravity);
        }
        return (posts, context) -> {
            double[] scores = numbers("reactions", reactions, posts);
            for (int i = 0; i < scores.length; i++) {
                double hours = ageMillis(posts.get(i), context.now()) / HOUR_MILLIS;
                scores[i] = (1 + scores[i]) / Math.pow(hours + HOURS_BEFORE, gravity);
            }
            return scores;
        };
    }

    private static long ageMillis(Post post, Instant now) {
        return Math.max(0, now.toEpochMilli() - post.publishedAt().toEpochMilli());
    }

    /**
     * Ranks posts by weights that the host keeps: the highest first, equal ones by time.
     *
     * @param weights returns the weights of the given posts. Posts that are left out have the weight 0
     * @return a ranker that calls the function once for all posts
     */
    public static Ranker weighted(Function<? super List<Post>, ? extends Map<Post, ? extends Number>> weights) {
        nonNull("weights", weights);
        return (posts, context) -> numbers("weights", weights, posts);
    }

    private static double[] numbers(
            String name,
            Function<? super List<Post>, ? extends Map<Post, ? extends Number>> function,
            List<Post> posts) {
        Map<Post, ? extends Number> found = Arguments.nonNull(name, function.apply(posts));
        double[] numbers = new double[posts.size()];
        for (int i = 0; i < numbers.length; i++) {
            Number number = found.get(posts.get(i));
            numbers[i] = number == null ? 0 : number.doubleValue();
        }
        return numbers;
    }
}

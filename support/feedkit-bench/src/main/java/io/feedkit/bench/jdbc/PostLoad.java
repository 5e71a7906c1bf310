package io.feedkit.bench.jdbc;

import io.feedkit.bench.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/**
 * Authors with a thousand posts each, loaded in the order of time, like published posts.
 *
 * @param prefix the beginning of the authors' ids
 * @param count how many authors
 * @param skewed whether the n-th author posts at 1/n of the first author's rate; otherwise all authors post at the same
 *     rate
 */
record PostLoad(String prefix, int count, boolean skewed) {

    /** The approximate time of the last post. */
    static final long END = 1_760_000_000_000L;

    private static final int POSTS_EACH = 1000;
    private static final int CHUNK = 100;
    private static final int FOLLOWERS_PER_AUTHOR = 2000;
    private static final int FEWEST_AUTHORS = 50;
    private static final int MINUTE = 60_000;
    private static final int MEAN_GAP_MINUTES = 60;

    static int authors(Scale scale) {
        return Math.max(FEWEST_AUTHORS, scale.followers() / FOLLOWERS_PER_AUTHOR);
    }

    void into(BenchDatabase database) {
        String gap = skewed ? "(a * " + MINUTE + ")" : Integer.toString(MEAN_GAP_MINUTES * MINUTE);
        for (int from = POSTS_EACH; from > 0; from -= CHUNK) {
            database.run("""
                    INSERT INTO ${post} (author, id, published_at, appended_at)
                    SELECT '%1$s' || lpad(a::text, 6, '0'), '%1$s' || lpad((%2$d - p)::text || lpad(a::text, 6, '0'),
                        18, '0'), t, t
                    FROM generate_series(1, %3$d) a, generate_series(%4$d, %5$d) p,
                         LATERAL (SELECT %6$d - p::bigint * %7$s + (hashint8(p * 1000003 + a) & 2147483647) %% %7$s
                             AS t) times
                    ORDER BY p DESC, t""".formatted(prefix, POSTS_EACH, count, from - CHUNK + 1, from, END, gap));
        }
    }

    /** Random authors, a list for each reader. */
    List<List<String>> followees(int readers, int each) {
        Random random = new Random(each);
        List<List<String>> lists = new ArrayList<>();
        for (int r = 0; r < readers; r++) {
            TreeSet<Integer> chosen = new TreeSet<>();
            while (chosen.size() < Math.min(each, count)) {
                chosen.add(1 + random.nextInt(count));
            }
            lists.add(
                    chosen.stream().map(a -> String.format("%s%06d", prefix, a)).toList());
        }
        return lists;
    }
}

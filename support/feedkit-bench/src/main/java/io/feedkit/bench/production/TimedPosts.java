package io.feedkit.bench.production;

import io.feedkit.bench.jdbc.BenchDatabase;

/**
 * Posts that are loaded directly, as if they had been published and delivered at their times.
 *
 * @param author the beginning of the authors' ids, which end with six digits
 * @param authors how many authors, numbered from 0
 * @param post the beginning of the posts' ids
 * @param each how many posts of each author
 * @param newest the time after the newest post, in milliseconds
 * @param step the time between two posts of an author; posts of different authors lie between them
 */
record TimedPosts(String author, int authors, String post, int each, long newest, long step) {

    static String author(String prefix, int number) {
        return String.format("%s%06d", prefix, number);
    }

    void into(BenchDatabase database) {
        database.run("""
                INSERT INTO ${post} (author, id, published_at, appended_at)
                SELECT '%1$s' || lpad(a::text, 6, '0'), '%2$s' || lpad((%3$d - p)::text, 12, '0'), t, t
                FROM generate_series(0, %4$d - 1) a, generate_series(0, %3$d - 1) p,
                     LATERAL (SELECT %5$d::bigint - p::bigint * %6$d - 1 - a::bigint * %6$d / %4$d AS t) times
                ORDER BY t""".formatted(author, post, each, authors, newest, step));
    }
}

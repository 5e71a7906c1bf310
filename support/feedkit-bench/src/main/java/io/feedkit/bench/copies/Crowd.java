package io.feedkit.bench.copies;

import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.bench.jdbc.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Readers who follow authors, chosen with Zipf-like weights. How much an author posts also follows such weights, and
 * does not depend on how many readers follow the author. An author has 34 posts in 30 days on average.
 *
 * @param readers how many readers
 * @param authors how many authors
 * @param followees how many authors each reader follows
 */
record Crowd(int readers, int authors, int followees) {

    private static final double POSTS_A_DAY = 34 / 30.0;

    /** Makes the most followed author less extreme than 1/rank does. */
    private static final int FLATTER = 10;

    /** Authors ordered by how much they post are in another order than those ordered by their followers. */
    private static final int SHUFFLE = 7919;

    private static final double EXPONENT = 0.6;
    private static final int READERS_AT_ONCE = 1000;
    private static final String NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

    String reader(int number) {
        return String.format("r%07d", number);
    }

    private static String author(int number) {
        return String.format("author%06d", number);
    }

    List<String> allReaders() {
        return IntStream.range(0, readers).mapToObj(this::reader).toList();
    }

    /** Whom a reader follows; always the same authors. */
    Set<String> followeesOf(int reader) {
        return followeesOf(reader, weights());
    }

    /** For each author the sum of the weights up to and including it. */
    private double[] weights() {
        double[] sums = new double[authors];
        double sum = 0;
        for (int i = 0; i < authors; i++) {
            sum += 1.0 / (FLATTER + i);
            sums[i] = sum;
        }
        return sums;
    }

    private Set<String> followeesOf(int reader, double[] weights) {
        SplittableRandom chance = new SplittableRandom(reader);
        Set<String> chosen = new LinkedHashSet<>();
        while (chosen.size() < followees) {
            int found = Arrays.binarySearch(weights, chance.nextDouble(weights[authors - 1]));
            chosen.add(author(found < 0 ? -found - 1 : found));
        }
        return chosen;
    }

    /** Replaces all follows by those of this crowd. */
    void follow(BenchDatabase database) {
        database.run("TRUNCATE ${follow}, ${follow_count}");
        double[] weights = weights();
        Sql.run(() -> {
            try (Connection connection = database.connect();
                    PreparedStatement insert =
                            connection.prepareStatement(database.sql("INSERT INTO ${follow} (reader, author)"
                                    + " SELECT * FROM unnest(?::varchar[], ?::varchar[])"))) {
                for (int from = 0; from < readers; from += READERS_AT_ONCE) {
                    follow(connection, insert, from, Math.min(readers, from + READERS_AT_ONCE), weights);
                }
            }
        });
        database.run("INSERT INTO ${follow_count} (user_id, followers, followees)"
                + " SELECT author, count(*), 0 FROM ${follow} GROUP BY author");
        database.run("INSERT INTO ${follow_count} (user_id, followers, followees)"
                + " SELECT reader, 0, count(*) FROM ${follow} GROUP BY reader");
        database.settle("follow", "follow_count");
    }

    private void follow(Connection connection, PreparedStatement insert, int from, int below, double[] weights)
            throws SQLException {
        List<String> followers = new ArrayList<>();
        List<String> followed = new ArrayList<>();
        for (int i = from; i < below; i++) {
            followers.addAll(Collections.nCopies(followees, reader(i)));
            followed.addAll(followeesOf(i, weights));
        }
        insert.setArray(1, connection.createArrayOf("varchar", followers.toArray()));
        insert.setArray(2, connection.createArrayOf("varchar", followed.toArray()));
        int unused = insert.executeUpdate();
    }

    /** Replaces all posts by those of some days, which were appended at their own times. */
    void postBefore(BenchDatabase database, long end, int days) {
        database.run("TRUNCATE ${post}");
        post(database, end, days, "t");
    }

    /** Adds posts of some days, which are all appended now. */
    void postNow(BenchDatabase database, long end, int days) {
        post(database, end, days, NOW);
    }

    /** Spreads the posts of each author over the days by a hash, so that every run has the same times. */
    private void post(BenchDatabase database, long end, int days, String appended) {
        double sum = 0;
        for (int rank = 1; rank <= authors; rank++) {
            sum += Math.pow(rank, -EXPONENT);
        }
        long span = Duration.ofDays(days).toMillis();
        database.run("""
                INSERT INTO ${post} (author, id, published_at, appended_at)
                SELECT 'author' || lpad(a::text, 6, '0'), lpad(t::text, 13, '0') || lpad(p::text, 6, '0'), t, %s
                FROM generate_series(0, %d - 1) a,
                     LATERAL generate_series(
                         1, greatest(1, round(%s * power(1 + a::bigint * %d %% %d, -%s)))::integer) p,
                     LATERAL (SELECT
                         %d + ((hashint8(a::bigint * 1000003 + p) / 4294967296.0 - 0.5) * %d)::bigint AS t) times
                ORDER BY t""".formatted(
                appended, authors, POSTS_A_DAY * days * authors / sum, SHUFFLE, authors, EXPONENT, end - 1, span));
        database.settle("post");
    }
}

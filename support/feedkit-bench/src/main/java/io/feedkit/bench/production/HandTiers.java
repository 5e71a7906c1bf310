package io.feedkit.bench.production;

import io.feedkit.Post;
import io.feedkit.bench.jdbc.BenchDatabase;
import io.feedkit.bench.jdbc.Sql;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;

/**
 * Pages written by hand: of a sorted set, and of the rows of many authors in a database. The query has a lower bound
 * that leaves about three pages, so it does not read all posts of all authors. Used by one thread.
 */
final class HandTiers implements AutoCloseable {

    static final int PAGE = 20;

    private static final int WIDER = 4;

    private final StatefulRedisConnection<String, String> redis;
    private final Tier warm;
    private final Tier cold;
    private final long spanMillis;

    /** A database that has the rows of one tier. */
    private record Tier(Connection connection, PreparedStatement page) {

        static Tier of(BenchDatabase database, String table) {
            Connection connection = database.connect();
            String sql = "SELECT author, id, published_at FROM ${" + table + "} WHERE author = ANY(?)"
                    + " AND published_at < ? AND published_at >= ? ORDER BY published_at DESC, id DESC LIMIT " + PAGE;
            return new Tier(connection, Sql.call(() -> connection.prepareStatement(database.sql(sql))));
        }

        int page(List<String> authors, long below, long from) {
            return Sql.call(() -> {
                page.setArray(1, connection.createArrayOf("varchar", authors.toArray()));
                page.setLong(2, below);
                page.setLong(3, from);
                int found = 0;
                try (ResultSet rows = page.executeQuery()) {
                    while (rows.next()) {
                        found += rows.getString(2).isEmpty() ? 0 : 1;
                    }
                }
                return found;
            });
        }
    }

    /** @param spanMillis in how much time there are about three pages */
    HandTiers(Shape shape, long spanMillis) {
        this.spanMillis = spanMillis;
        BenchRedis server = shape.redis();
        redis = server.connect(StringCodec.ASCII);
        warm = Tier.of(shape.database(), "post");
        cold = Tier.of(shape.archiveDatabase(), "archive_post");
    }

    /** Stores a reader's newest posts in a sorted set. */
    void fill(String reader, List<Post> posts) {
        posts.forEach(post -> redis.sync()
                .zadd(key(reader), (double) post.publishedAt().toEpochMilli(), post.author() + " " + post.id()));
    }

    int hot(String reader, int first) {
        return redis.sync().zrevrange(key(reader), first, first + PAGE - 1L).size();
    }

    int warm(List<String> authors, long below) {
        return page(warm, authors, below);
    }

    int cold(List<String> authors, long below) {
        return page(cold, authors, below);
    }

    private int page(Tier tier, List<String> authors, long below) {
        long span = spanMillis;
        int found = tier.page(authors, below, below - span);
        while (found < PAGE && span < below) {
            span *= WIDER;
            found = tier.page(authors, below, below - span);
        }
        return found;
    }

    private static String key(String reader) {
        return "hand:" + reader;
    }

    @Override
    public void close() {
        redis.close();
        Sql.run(warm.connection()::close);
        Sql.run(cold.connection()::close);
    }
}

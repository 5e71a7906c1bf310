package io.feedkit.bench.production;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.jdbc.Sql;
import io.feedkit.jdbc.JdbcTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A week, published in transactions of the host, each of which also inserts a row for each post into a table of the
 * host. Without SQL there are no transactions, and no rows.
 *
 * @param published seconds until the last transaction was committed
 * @param seconds seconds until the last post was delivered
 * @param costs what it cost until then
 * @param feeds the newest posts of each reader
 */
record WeekRun(double published, double seconds, Costs costs, Map<String, List<String>> feeds) {

    private static final int BATCH = 500;
    private static final int WORKERS = 4;
    private static final int NEWEST = 50;
    private static final double NANOS_A_SECOND = 1e9;
    private static final String BODY = "b".repeat(140);

    static WeekRun of(Shape shape, Week week) {
        shape.follow(week.followers());
        shape.pool()
                .ifPresent(pool -> shape.database()
                        .createTable(
                                "article",
                                "(author varchar(64) NOT NULL, id varchar(64) NOT NULL, body text NOT NULL,"
                                        + " PRIMARY KEY (author, id))"));
        List<String> readers = week.readers();
        try (FeedEngine engine = shape.engine().workers(WORKERS).build()) {
            Followers.visit(engine, readers);
            Costs before = shape.costs();
            long start = System.nanoTime();
            publish(shape, engine, week.posts());
            double published = since(start);
            engine.fanout().drain();
            double seconds = since(start);
            Costs costs = shape.costs().since(before);
            return new WeekRun(published, seconds, costs, feeds(engine, readers));
        }
    }

    private static double since(long start) {
        return (System.nanoTime() - start) / NANOS_A_SECOND;
    }

    private static void publish(Shape shape, FeedEngine engine, List<Post> posts) {
        Optional<HikariDataSource> pool = shape.pool();
        for (int from = 0; from < posts.size(); from += BATCH) {
            List<Post> batch = posts.subList(from, Math.min(posts.size(), from + BATCH));
            if (pool.isPresent()) {
                Sql.run(() -> publish(shape, pool.get(), engine, batch));
            } else {
                engine.publishAll(batch);
            }
        }
    }

    private static void publish(Shape shape, HikariDataSource pool, FeedEngine engine, List<Post> batch)
            throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            String insert = shape.database().sql("INSERT INTO ${article} (author, id, body) VALUES (?, ?, ?)");
            try (PreparedStatement statement = connection.prepareStatement(insert)) {
                for (Post post : batch) {
                    statement.setString(1, post.author());
                    statement.setString(2, post.id());
                    statement.setString(3, BODY);
                    statement.addBatch();
                }
                statement.executeBatch();
            }
            engine.publishAll(batch, JdbcTransaction.of(connection));
            connection.commit();
        }
    }

    private static Map<String, List<String>> feeds(FeedEngine engine, List<String> readers) {
        Map<String, List<String>> feeds = new LinkedHashMap<>();
        readers.forEach(reader -> feeds.put(
                reader,
                engine.read(reader, PageRequest.first(NEWEST)).items().stream()
                        .map(Post::id)
                        .toList()));
        return feeds;
    }
}

package io.feedkit.tools.migrate;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/**
 * A home-made feed as many applications have it: a table of posts, a table of follows, and for each reader a sorted set
 * in Redis with the newest posts, to which every post is added when it is published. Thread-safe.
 */
final class OldFeed implements AutoCloseable {

    private static final int BATCH = 1000;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** Separates author and id in a member of a sorted set. */
    private static final char SEPARATOR = ' ';

    private final DataSource database;
    private final String tables;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> reading;
    private final String keys;
    private final int kept;
    private final Map<String, List<String>> followers;

    /**
     * Creates an empty feed.
     *
     * @param tables the prefix of the tables' names
     * @param keys the prefix of the keys
     * @param kept how many posts each sorted set keeps
     * @param followers the readers of each author
     */
    OldFeed(
            DataSource database,
            String tables,
            String redis,
            String keys,
            int kept,
            Map<String, List<String>> followers) {
        this.database = database;
        this.tables = tables;
        this.client = RedisClient.create(redis);
        this.reading = client.connect();
        this.keys = keys;
        this.kept = kept;
        this.followers = followers;
        execute("CREATE TABLE " + tables + "article (author varchar(64) NOT NULL, id varchar(64) NOT NULL,"
                + " published_at bigint NOT NULL, PRIMARY KEY (author, id))");
        execute("CREATE TABLE " + tables + "edge (reader varchar(64) NOT NULL, author varchar(64) NOT NULL,"
                + " PRIMARY KEY (reader, author))");
    }

    private void execute(String sql) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("the old feed's database failed: " + e.getMessage(), e);
        }
    }

    /** Inserts edges. */
    void follow(Map<String, List<String>> followees) {
        List<List<Object>> rows = new ArrayList<>();
        followees.forEach((reader, authors) -> authors.forEach(author -> rows.add(List.of(reader, author))));
        insert("INSERT INTO " + tables + "edge (reader, author) VALUES (?, ?)", rows);
    }

    /** Inserts posts, and adds them to the sorted sets of the followers. Returns how many entries were added. */
    long publish(Collection<Post> posts) {
        insert(
                "INSERT INTO " + tables + "article (author, id, published_at) VALUES (?, ?, ?)",
                posts.stream()
                        .map(post -> List.<Object>of(
                                post.author(), post.id(), post.publishedAt().toEpochMilli()))
                        .toList());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.setAutoFlushCommands(false);
            return add(connection, posts);
        }
    }

    private long add(StatefulRedisConnection<String, String> connection, Collection<Post> posts) {
        long entries = 0;
        List<RedisFuture<?>> sent = new ArrayList<>();
        Set<String> readers = new HashSet<>();
        for (Post post : posts) {
            for (String reader : followers.getOrDefault(post.author(), List.of())) {
                sent.add(connection
                        .async()
                        .zadd(
                                keys + reader,
                                (double) post.publishedAt().toEpochMilli(),
                                post.author() + SEPARATOR + post.id()));
                readers.add(reader);
                entries++;
                flush(connection, sent, BATCH);
            }
        }
        for (String reader : readers) {
            sent.add(connection.async().zremrangebyrank(keys + reader, 0, -kept - 1L));
            flush(connection, sent, BATCH);
        }
        flush(connection, sent, 1);
        return entries;
    }

    private static void flush(
            StatefulRedisConnection<String, String> connection, List<RedisFuture<?>> sent, int atLeast) {
        if (sent.size() >= atLeast) {
            connection.flushCommands();
            if (!LettuceFutures.awaitAll(TIMEOUT, sent.toArray(RedisFuture[]::new))) {
                throw new IllegalStateException("the old feed's Redis did not answer within " + TIMEOUT);
            }
            sent.clear();
        }
    }

    private void insert(String sql, List<List<Object>> rows) {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement(sql)) {
            connection.setAutoCommit(false);
            for (int i = 0; i < rows.size(); i++) {
                for (int column = 0; column < rows.get(i).size(); column++) {
                    insert.setObject(column + 1, rows.get(i).get(column));
                }
                insert.addBatch();
                if ((i + 1) % BATCH == 0) {
                    insert.executeBatch();
                }
            }
            insert.executeBatch();
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException("the old feed's database failed: " + e.getMessage(), e);
        }
    }

    /** The next posts of the table after a key, in the order of author and id. */
    List<Post> page(PostKey after, int limit) {
        String sql = "SELECT author, id, published_at FROM " + tables + "article WHERE (author, id) > (?, ?)"
                + " ORDER BY author, id LIMIT ?";
        List<Post> page = new ArrayList<>();
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, after.author());
            select.setString(2, after.id());
            select.setInt(3, limit);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    page.add(Post.of(row.getString(1), row.getString(2), row.getLong(3)));
                }
            }
            return page;
        } catch (SQLException e) {
            throw new IllegalStateException("the old feed's database failed: " + e.getMessage(), e);
        }
    }

    /** The newest posts of a reader's sorted set, newest first. */
    List<PostKey> newest(String reader, int limit) {
        return reading.sync().zrevrange(keys + reader, 0, limit - 1L).stream()
                .map(member -> {
                    int end = member.indexOf(SEPARATOR);
                    return new PostKey(member.substring(0, end), member.substring(end + 1));
                })
                .toList();
    }

    /** Drops the tables. The caller removes the keys. */
    @Override
    public void close() {
        try {
            execute("DROP TABLE " + tables + "article");
            execute("DROP TABLE " + tables + "edge");
        } finally {
            client.shutdown();
        }
    }
}

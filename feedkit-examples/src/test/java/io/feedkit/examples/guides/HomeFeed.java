package io.feedkit.examples.guides;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.jdbc.JdbcTransaction;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.ComposedStore;
import io.feedkit.spi.FeedStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** The program of docs/getting-started.md. Each part between "guide" and "end" is a block of that page. */
// guide
final class HomeFeed {

    record Card(String author, String body, Instant publishedAt) {}

    private final DataSource database;
    private final FeedEngine feed;

    HomeFeed(DataSource database, FeedEngine feed) {
        this.database = database;
        this.feed = feed;
    }

    static ComposedStore openStore(DataSource database, String redis) {
        JdbcSchema.of(database).upgrade(); // creates or upgrades FeedKit's tables
        return ComposedStore.of(parts -> {
            JdbcFeedStore sql = parts.add(JdbcFeedStore.create(database));
            RedisInboxes inboxes = parts.add(RedisInboxes.create(RedisServers.at(redis)));
            return FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks(), inboxes.rankSnapshots());
        });
    }
    // end

    // guide
    void publish(String author, String body) throws SQLException {
        String id = UUID.randomUUID().toString();
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO post (id, author, body) VALUES (?, ?, ?)")) {
                insert.setString(1, id);
                insert.setString(2, author);
                insert.setString(3, body);
                insert.executeUpdate();
            }
            feed.publish(new Post(author, id, Instant.now()), JdbcTransaction.of(connection));
            connection.commit(); // your row and FeedKit's post, or neither
        }
    }
    // end

    // guide
    FeedPage<Card> page(String reader, Optional<String> older) {
        PageRequest request =
                older.map(text -> PageRequest.older(Cursor.parse(text), 20)).orElseGet(() -> PageRequest.first(20));
        return feed.read(reader, request, this::cards);
    }

    private Map<Post, Card> cards(List<Post> posts) {
        Map<String, Post> byId = posts.stream().collect(Collectors.toMap(Post::id, post -> post));
        Map<Post, Card> cards = new HashMap<>();
        try (Connection connection = database.getConnection();
                PreparedStatement select =
                        connection.prepareStatement("SELECT id, body FROM post WHERE id = ANY (?)")) {
            select.setArray(1, connection.createArrayOf("text", byId.keySet().toArray(String[]::new)));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    Post post = byId.get(rows.getString("id"));
                    cards.put(post, new Card(post.author(), rows.getString("body"), post.publishedAt()));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot load cards", e);
        }
        return cards;
    }
    // end

    // guide
    String badge(String reader) {
        return feed.unread(reader).toString(); // "3", or "1000+" if there are more
    }

    void seen(String reader, String newer) {
        feed.markSeen(reader, Cursor.parse(newer));
    }
    // end

    // guide
    public static void main(String[] args) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(args[0]);
        try (HikariDataSource database = new HikariDataSource(config);
                ComposedStore store = openStore(database, args[1]);
                FeedEngine feed = FeedEngine.builder(store)
                        .policy(FanoutPolicy.hybrid(100_000))
                        .build()) {
            HomeFeed home = new HomeFeed(database, feed);
            feed.follow("alice", "bob");
            home.publish("bob", "Hello");

            System.out.println("unread: " + home.badge("alice"));
            FeedPage<Card> page = home.page("alice", Optional.empty());
            page.items().forEach(card -> System.out.println(card.author() + ": " + card.body()));
            home.seen("alice", page.newer().toString());
            System.out.println("unread: " + home.badge("alice"));
        }
    }
}
// end

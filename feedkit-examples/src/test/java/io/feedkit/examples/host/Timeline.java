package io.feedkit.examples.host;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.counter.FeedCounters;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.jdbc.FollowsTable;
import io.feedkit.jdbc.JdbcCounterStore;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.jdbc.PostsTable;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/**
 * An application with tables of its own: posts, follows, likes and blocks, with numbers as ids. It uses FeedKit as any
 * host does.
 */
final class Timeline implements AutoCloseable {

    /** What a client shows for a post. */
    record Card(long id, long author, String body, long likes) {}

    /** What a client shows beside the icon of the application. */
    record Badge(long newPosts, long likes) {}

    private final Database database;
    private final JdbcFeedStore store;
    private final JdbcCounterStore counterStore;
    private final FeedCounters counters;
    private final FeedEngine feed;

    Timeline(DataSource database) {
        this.database = new Database(database);
        JdbcSchema.of(database).upgrade();
        store = JdbcFeedStore.builder(database)
                .posts(PostsTable.named("posts").author("author_id").publishedAt("created_at", PostsTable.Time.MILLIS))
                .follows(FollowsTable.named("follows").follower("follower_id").followee("followee_id"))
                .build();
        counterStore = JdbcCounterStore.create(database);
        counters = FeedCounters.of(counterStore);
        feed = FeedEngine.builder(store)
                .policy(FanoutPolicy.hybrid(100_000))
                .filter(this::withoutBlocked)
                .workers(1)
                .build();
    }

    void follow(long me, long you) throws SQLException {
        database.inTransaction((connection, transaction) -> {
            Database.execute(connection, "INSERT INTO follows (follower_id, followee_id) VALUES (?, ?)", me, you);
            feed.hostGraph().followed(Long.toString(me), Long.toString(you), transaction);
            return null;
        });
    }

    void post(long me, long id, String body) throws SQLException {
        database.inTransaction((connection, transaction) -> {
            long now = System.currentTimeMillis();
            Database.execute(
                    connection,
                    "INSERT INTO posts (id, author_id, body, created_at) VALUES (?, ?, ?, ?)",
                    id,
                    me,
                    body,
                    now);
            feed.publish(Post.of(Long.toString(me), Long.toString(id), now), transaction);
            return null;
        });
    }

    void like(long me, long author, long post) throws SQLException {
        database.inTransaction((connection, transaction) -> {
            FeedCounters joined = counters.in(counterStore.in(transaction));
            if (joined.likes().add(Long.toString(me), Long.toString(post))) {
                joined.unread().add(List.of(Long.toString(author)), "like", 1);
            }
            return null;
        });
    }

    void block(long me, long other) throws SQLException {
        database.inTransaction((connection, transaction) -> {
            Database.execute(connection, "INSERT INTO blocks (blocker_id, blocked_id) VALUES (?, ?)", me, other);
            return null;
        });
    }

    FeedPage<Card> page(long me) {
        return feed.read(Long.toString(me), PageRequest.first(20), this::cards);
    }

    Badge badge(long me) {
        String user = Long.toString(me);
        return new Badge(feed.unread(user).count(), counters.unread().get(user).of("like"));
    }

    private Map<Post, Card> cards(List<Post> posts) {
        List<Long> likes = counters.likes().get(posts.stream().map(Post::id).toList());
        Map<Post, Card> cards = new HashMap<>();
        for (int i = 0; i < posts.size(); i++) {
            Post post = posts.get(i);
            long count = likes.get(i);
            for (List<Object> row :
                    database.query("SELECT id, author_id, body FROM posts WHERE id = ?", Long.parseLong(post.id()))) {
                cards.put(post, new Card((Long) row.get(0), (Long) row.get(1), (String) row.get(2), count));
            }
        }
        return cards;
    }

    private List<Post> withoutBlocked(String reader, List<Post> posts) {
        Set<String> blocked = new HashSet<>();
        database.query("SELECT blocked_id FROM blocks WHERE blocker_id = ?", Long.parseLong(reader))
                .forEach(row -> blocked.add(row.get(0).toString()));
        return posts.stream().filter(post -> !blocked.contains(post.author())).toList();
    }

    @Override
    public void close() {
        feed.close();
        counterStore.close();
        store.close();
    }
}

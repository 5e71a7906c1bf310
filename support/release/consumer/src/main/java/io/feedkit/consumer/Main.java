package io.feedkit.consumer;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.jdbc.JdbcTransaction;
import java.sql.Connection;
import org.h2.jdbcx.JdbcDataSource;

/** Publishes posts in memory and in a SQL database, and reads them. */
public final class Main {

    private Main() {}

    /**
     * Prints both pages.
     *
     * @param args none
     * @throws Exception if a call fails
     */
    public static void main(String[] args) throws Exception {
        System.out.println(Main.class.getModule());
        try (FeedEngine feed = FeedEngine.inMemory().workers(0).build()) {
            feed.follow("alice", "bob");
            feed.publish("bob", "post-1");
            feed.fanout().drain();
            show("in memory", feed.read("alice", PageRequest.first(20)));
        }

        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:consumer;DB_CLOSE_DELAY=-1");
        JdbcSchema.of(database).upgrade();
        try (JdbcFeedStore store = JdbcFeedStore.create(database);
                FeedEngine feed = FeedEngine.builder(store).workers(0).build();
                Connection connection = database.getConnection()) {
            feed.follow("alice", "bob");
            connection.setAutoCommit(false);
            feed.publish(Post.of("bob", "post-2", System.currentTimeMillis()), JdbcTransaction.of(connection));
            connection.commit();
            feed.fanout().drain();
            show("in H2", feed.read("alice", PageRequest.first(20)));
        }
    }

    private static void show(String where, FeedPage<Post> page) {
        page.items().forEach(post -> System.out.println(where + ": " + post.id() + " of " + post.author()));
    }
}

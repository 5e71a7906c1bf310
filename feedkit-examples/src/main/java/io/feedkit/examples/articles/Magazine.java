package io.feedkit.examples.articles;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.jdbc.JdbcTransaction;
import java.time.Clock;
import org.jdbi.v3.core.Jdbi;

/**
 * An application with a database, which has its own table and FeedKit's tables. It has no workers, so the example
 * decides when posts are pushed. A real application leaves out {@code workers(0)}, and workers push posts in the
 * background.
 */
final class Magazine implements AutoCloseable {

    private final HikariDataSource pool;
    private final Jdbi jdbi;
    private final ArticleTable articles;
    private final JdbcSchema schema;
    private final JdbcFeedStore store;
    private final FeedEngine feed;

    private Magazine(HikariDataSource pool, String prefix) {
        this.pool = pool;
        jdbi = Jdbi.create(pool);
        articles = new ArticleTable(jdbi, prefix + "article");
        articles.createIfMissing();
        schema = JdbcSchema.of(pool, "", prefix);
        schema.upgrade();
        store = JdbcFeedStore.builder(pool).prefix(prefix).build();
        feed = FeedEngine.builder(store).workers(0).build();
    }

    /** Opens the application. Data of an earlier start is kept. */
    static Magazine open(String url, String prefix) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        HikariDataSource pool = new HikariDataSource(config);
        try {
            return new Magazine(pool, prefix);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    /**
     * Writes the application's row and FeedKit's post in one transaction. If {@code lastStep} throws, neither is
     * stored.
     */
    void publish(String author, String id, String title, Runnable lastStep) {
        Post post = Post.of(author, id, Clock.systemUTC().millis());
        jdbi.useTransaction(handle -> {
            articles.insert(handle, author, id, title);
            feed.publish(post, JdbcTransaction.of(handle));
            lastStep.run();
        });
    }

    FeedEngine feed() {
        return feed;
    }

    ArticleTable articles() {
        return articles;
    }

    /** Deletes the application's data, and closes it. */
    void discard() {
        feed.close();
        store.close();
        schema.drop();
        articles.drop();
        pool.close();
    }

    @Override
    public void close() {
        feed.close();
        store.close();
        pool.close();
    }
}

package io.feedkit.examples.articles;

import io.feedkit.Post;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** The application's own table. FeedKit does not use it. */
final class ArticleTable {

    private final Jdbi jdbi;
    private final String name;

    ArticleTable(Jdbi jdbi, String name) {
        this.jdbi = jdbi;
        this.name = name;
    }

    void createIfMissing() {
        jdbi.useHandle(handle -> handle.execute("CREATE TABLE IF NOT EXISTS " + name
                + " (id varchar(64) PRIMARY KEY, author varchar(64) NOT NULL, title varchar(200) NOT NULL)"));
    }

    void insert(Handle handle, String author, String id, String title) {
        handle.execute("INSERT INTO " + name + " (id, author, title) VALUES (?, ?, ?)", id, author, title);
    }

    int count() {
        return jdbi.withHandle(handle -> handle.select("SELECT count(*) FROM " + name)
                .mapTo(Integer.class)
                .one());
    }

    /** The titles that a page of the feed shows. */
    Map<Post, String> titles(List<Post> posts) {
        Map<Post, String> titles = new HashMap<>();
        jdbi.useHandle(handle -> {
            for (Post post : posts) {
                handle.select("SELECT title FROM " + name + " WHERE id = ?", post.id())
                        .mapTo(String.class)
                        .findOne()
                        .ifPresent(title -> titles.put(post, title));
            }
        });
        return titles;
    }

    void drop() {
        jdbi.useHandle(handle -> handle.execute("DROP TABLE " + name));
    }
}

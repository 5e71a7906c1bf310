package io.feedkit.examples.springboot;

import io.feedkit.Post;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The tables of the magazine. */
@Repository
class Articles {

    private final JdbcClient jdbc;

    Articles(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void insert(Article article) {
        jdbc.sql("insert into article (author, id, body, published_at) values (?, ?, ?, ?)")
                .params(article.author(), article.id(), article.body(), article.publishedAt())
                .update();
    }

    /** Returns whether the follow is new. */
    boolean follow(String follower, String followee) {
        return jdbc.sql("insert into follows (follower, followee) values (?, ?) on conflict do nothing")
                        .params(follower, followee)
                        .update()
                == 1;
    }

    /** The articles of a page, in one query. The page leaves out those that are gone. */
    Map<Post, Article> load(List<Post> posts) {
        return jdbc
                .sql("select author, id, body, published_at from article where id in (:ids)")
                .param("ids", posts.stream().map(Post::id).toList())
                .query(Article.class)
                .list()
                .stream()
                .collect(Collectors.toMap(
                        article -> Post.of(article.author(), article.id(), article.publishedAt()),
                        Function.identity()));
    }
}

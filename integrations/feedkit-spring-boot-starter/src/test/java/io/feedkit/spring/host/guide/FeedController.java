package io.feedkit.spring.host.guide;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

// guide
@RestController
class FeedController {

    private final FeedEngine feed;
    private final JdbcClient jdbc;

    FeedController(FeedEngine feed, JdbcClient jdbc) {
        this.feed = feed;
        this.jdbc = jdbc;
    }

    @PostMapping("/articles/{id}")
    @Transactional
    public void write(@PathVariable String id, @RequestParam String author, @RequestBody String text) {
        jdbc.sql("insert into article (id, text) values (?, ?)")
                .params(id, text)
                .update();
        feed.publish(author, id); // both or neither
    }

    @GetMapping("/feed")
    public FeedPage<Post> page(@RequestParam String reader, PageRequest page) {
        return feed.read(reader, page);
    }
}
// end

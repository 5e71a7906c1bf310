package io.feedkit.examples.springboot;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.counter.Reactions;
import io.feedkit.spring.web.LiveStreams;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** What clients of the magazine call. */
@RestController
class FeedController {

    private final Articles articles;
    private final FeedEngine feed;
    private final Reactions likes;
    private final LiveStreams streams;

    FeedController(Articles articles, FeedEngine feed, Reactions likes, LiveStreams streams) {
        this.articles = articles;
        this.feed = feed;
        this.likes = likes;
        this.streams = streams;
    }

    @PutMapping("/articles/{id}")
    @Transactional
    public void publish(@PathVariable String id, @RequestParam String author, @RequestBody String body) {
        Article article = new Article(author, id, body, System.currentTimeMillis());
        articles.insert(article);
        feed.publish(Post.of(author, id, article.publishedAt())); // both or neither
    }

    @PutMapping("/follows/{author}")
    @Transactional
    public void follow(@PathVariable String author, @RequestParam String reader) {
        if (articles.follow(reader, author)) {
            feed.hostGraph().followed(reader, author);
        }
    }

    @GetMapping("/feed")
    public FeedPage<Article> page(@RequestParam String reader, PageRequest page) {
        return feed.read(reader, page, articles::load);
    }

    @GetMapping("/feed/unread")
    public long unread(@RequestParam String reader) {
        return feed.unread(reader).count();
    }

    @PutMapping("/feed/seen")
    public void seen(@RequestParam String reader, @RequestParam Cursor newer) {
        feed.markSeen(reader, newer);
    }

    @PutMapping("/likes/{id}")
    public long like(@PathVariable String id, @RequestParam String reader) {
        likes.add(reader, id);
        return likes.get(id);
    }

    @GetMapping("/feed/events")
    public SseEmitter events(@RequestParam String reader, @RequestParam Cursor newer) {
        return streams.open(reader, newer);
    }
}

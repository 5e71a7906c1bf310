package io.feedkit.spring.host.guide;

import io.feedkit.FeedEngine;
import org.springframework.stereotype.Component;

@Component
class Wall {

    private final FeedEngine feed;

    Wall(FeedEngine feed) {
        this.feed = feed;
    }

    void share(String author, String id) {
        feed.publish(author, id);
    }
}

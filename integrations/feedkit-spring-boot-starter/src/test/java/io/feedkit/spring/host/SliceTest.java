package io.feedkit.spring.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.spring.test.FeedKitTest;
import io.feedkit.testkit.SettableClock;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;

@FeedKitTest
@ContextConfiguration(classes = SliceTest.Application.class)
@Import(SliceTest.Walls.class)
@DisplayName("A test of an application's code")
class SliceTest {

    @org.springframework.boot.autoconfigure.SpringBootApplication
    static class Application {}

    static class Walls {

        private final FeedEngine feed;

        Walls(FeedEngine feed) {
            this.feed = feed;
        }

        void share(String author, String id) {
            feed.publish(author, id);
        }
    }

    @Autowired
    private FeedEngine feed;

    @Autowired
    private SettableClock clock;

    @Autowired
    private Walls walls;

    @Autowired
    private ApplicationContext context;

    @Test
    @DisplayName("has an engine in memory, a clock to move, and posts that arrive when it drains")
    void shows() {
        feed.follow("ann", "bob");
        feed.read("ann", PageRequest.first(20));
        walls.share("bob", "post-1");
        feed.fanout().drain();
        clock.advance(Duration.ofHours(1));
        walls.share("bob", "post-2");
        feed.fanout().drain();
        assertThat(feed.read("ann", PageRequest.first(20)).items())
                .extracting(Post::publishedAt)
                .isSortedAccordingTo(java.util.Comparator.reverseOrder())
                .hasSize(2);
        assertThat(context.getBeanNamesForType(DataSource.class)).isEmpty();
    }
}

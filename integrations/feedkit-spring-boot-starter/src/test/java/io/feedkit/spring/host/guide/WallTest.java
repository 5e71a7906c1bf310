package io.feedkit.spring.host.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.spring.test.FeedKitTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

// guide
@FeedKitTest
@Import(Wall.class)
class WallTest {

    @Autowired
    private FeedEngine feed;

    @Autowired
    private Wall wall;

    @Test
    void shows() {
        feed.follow("ann", "bob");
        wall.share("bob", "post-1");
        feed.fanout().drain();
        assertThat(feed.read("ann", PageRequest.first(20)).items()).hasSize(1);
    }
}
// end

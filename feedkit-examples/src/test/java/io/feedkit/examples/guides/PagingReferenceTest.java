package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.InvalidRequestException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.testkit.TestFeed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the reference of paging shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The reference of paging")
class PagingReferenceTest {

    @RegisterExtension
    final TestFeed testFeed = TestFeed.inMemory();

    // guide
    static List<Post> numberedPage(FeedEngine feed, String reader, int page, int size) { // from 0
        List<Post> read =
                feed.read(reader, PageRequest.first((page + 1) * size)).items();
        return read.subList(Math.min(page * size, read.size()), read.size());
    }
    // end

    @Test
    @DisplayName("serves numbered pages")
    void numbered() {
        FeedEngine feed = testFeed.engine();
        feed.follow("ann", "bob");
        for (int i = 1; i <= 5; i++) {
            testFeed.clock().advance(Duration.ofSeconds(1));
            feed.publish("bob", "post-" + i);
        }
        testFeed.drain();
        assertThat(numberedPage(feed, "ann", 0, 2)).extracting(Post::id).containsExactly("post-5", "post-4");
        assertThat(numberedPage(feed, "ann", 2, 2)).extracting(Post::id).containsExactly("post-1");
        assertThat(numberedPage(feed, "ann", 3, 2)).isEmpty();
        assertThatThrownBy(() -> numberedPage(feed, "ann", 50, 20)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> numberedPage(feed, "ann", -1, 20)).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("../reference/paging.md", "PagingReferenceTest");
    }
}

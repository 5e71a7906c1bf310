package io.feedkit.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReadmeTest {

    @Test
    @DisplayName("the README's first example works")
    void works() {
        // readme
        try (FeedEngine feed =
                FeedEngine.inMemory().policy(FanoutPolicy.hybrid(100_000)).build()) {
            feed.follow("alice", "bob");
            feed.publish("bob", "post-1");

            FeedPage<Post> page = feed.read("alice", PageRequest.first(20));
            String link = page.older().map(Cursor::toString).orElse(null); // null only at the true end
            FeedPage<Post> news = feed.read("alice", PageRequest.newer(page.newer(), 20)); // contiguous, no gap
            long unread = feed.unread("alice").count();
            // end
            assertThat(page.items()).extracting("id").containsExactly("post-1");
            assertThat(link).isNull();
            assertThat(news.items()).isEmpty();
            assertThat(unread).isOne();
        }
    }

    @Test
    @DisplayName("the README's first example is the one that is tested here")
    void isThisOne() throws IOException {
        String readme = Files.readString(Path.of("..", "README.md"));
        String shown = readme.substring(readme.indexOf("```java\n") + "```java\n".length());
        shown = shown.substring(0, shown.indexOf("```"));
        String source = Files.readString(Path.of("src/test/java/io/feedkit/examples/ReadmeTest.java"));
        String tested =
                source.substring(source.indexOf("// readme\n") + "// readme\n".length(), source.indexOf("// end\n"))
                        + "}";

        assertThat(normalised(shown)).isEqualTo(normalised(tested));
    }

    private static String normalised(String code) {
        return code.strip().replaceAll("\\s+", " ");
    }
}

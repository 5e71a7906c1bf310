package io.feedkit.internal.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The posts that a subscription has delivered")
class RecentPostsTest {

    private static final int REMEMBERED = 1024;

    private final RecentPosts delivered = new RecentPosts();

    private static Post post(int number) {
        return Post.of("author-" + number % 3, "post-" + number, 1_700_000_000_000L + number / 2);
    }

    @Test
    @DisplayName("are the latest 1,024, of any author and time, however often one is added")
    void latest() {
        List<Post> posts = IntStream.range(0, 3 * REMEMBERED + 7)
                .mapToObj(RecentPostsTest::post)
                .toList();
        for (int i = 0; i < posts.size(); i++) {
            assertThat(delivered.contains(posts.get(i))).as("post %d", i).isFalse();
            delivered.add(posts.get(i));
            delivered.add(posts.get(i));
            delivered.add(posts.get(Math.max(0, i - 5)));

            int oldest = Math.max(0, i - REMEMBERED + 1);
            assertThat(delivered.contains(posts.get(i))).as("post %d", i).isTrue();
            assertThat(delivered.contains(posts.get(oldest)))
                    .as("post %d after %d", oldest, i)
                    .isTrue();
            assertThat(oldest > 0 && delivered.contains(posts.get(oldest - 1)))
                    .as("post %d after %d", oldest - 1, i)
                    .isFalse();
        }
    }
}

package io.feedkit.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.Published.Status;
import io.feedkit.spi.Position;
import io.feedkit.spi.SeenPosts;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OracleFeedTest {

    private final OracleFeed oracle = new OracleFeed(false);

    @Test
    @DisplayName("A feed is ordered by time, then id by bytes, then author, all descending")
    void order() {
        oracle.follow("r", "a");
        oracle.follow("r", "b");
        Post old = Post.of("a", "z", 1);
        Post low = Post.of("b", "10", 2);
        Post high = Post.of("a", "7", 2);
        Post otherAuthor = Post.of("b", "7", 2);
        oracle.publish(low);
        oracle.publish(old);
        oracle.publish(high);
        oracle.publish(otherAuthor);
        assertThat(oracle.feed("r")).containsExactly(otherAuthor, high, low, old);
    }

    @Test
    @DisplayName("The first publish fixes the time")
    void firstPublishCounts() {
        Post first = Post.of("a", "1", 5);
        oracle.publish(first);
        assertThat(oracle.publish(Post.of("a", "1", 9)).post()).isEqualTo(first);
        assertThat(oracle.publish(Post.of("a", "1", 9)).status()).isEqualTo(Status.SAME);
    }

    @Test
    @DisplayName("A deleted post stays deleted, also if it was deleted before it was published")
    void tombstones() {
        Post post = Post.of("a", "1", 5);
        assertThat(oracle.delete(post.key())).isFalse();
        assertThat(oracle.publish(post).status()).isEqualTo(Status.DELETED);
        assertThat(oracle.exists(post.key())).isFalse();
    }

    @Test
    @DisplayName("Own posts belong to the feed only if that was asked for")
    void ownPosts() {
        OracleFeed withOwn = new OracleFeed(true);
        Post post = Post.of("a", "1", 5);
        oracle.publish(post);
        withOwn.publish(post);
        assertThat(oracle.feed("a")).isEmpty();
        assertThat(withOwn.feed("a")).containsExactly(post);
    }

    @Test
    @DisplayName("Unread is what lies above the mark, and a mark never falls")
    void unread() {
        oracle.follow("r", "a");
        Post older = Post.of("a", "1", 5);
        Post newer = Post.of("a", "2", 6);
        oracle.publish(older);
        oracle.publish(newer);
        assertThat(oracle.unread("r", post -> true)).isEqualTo(2);
        oracle.markSeen("r", SeenPosts.upTo(Position.of(newer)));
        oracle.markSeen("r", SeenPosts.upTo(Position.of(older)));
        assertThat(oracle.unread("r", post -> true)).isZero();
    }
}

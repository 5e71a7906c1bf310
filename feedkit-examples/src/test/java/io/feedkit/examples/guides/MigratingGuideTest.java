package io.feedkit.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.migration.FeedComparison;
import io.feedkit.migration.FeedComparison.Result;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisServers;
import io.feedkit.testservers.RedisServer;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guide to migrating shows. Each part between "guide" and "end" is a block of its code. */
@DisplayName("The guide to migrating")
@Timeout(120)
class MigratingGuideTest {

    private static final Instant NEWEST = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    @DisplayName("moves follows and posts of another system, which count as seen, and reads them to compare")
    void application() {
        Post newer = new Post("bob", "post-2", NEWEST);
        Post older = new Post("cat", "post-1", NEWEST.minusSeconds(1));
        List<Post> earlierPosts = List.of(older, newer);
        try (HikariDataSource dataSource = GuideDatabase.withFeedKit();
                JdbcFeedStore store = JdbcFeedStore.create(dataSource);
                FeedEngine feed = FeedEngine.builder(store).workers(0).build()) {
            // guide
            feed.followAll("ann", List.of("bob", "cat"));
            feed.importPosts(earlierPosts); // a List<Post>
            feed.markSeen(List.of("ann"), Cursor.at(Instant.now()));
            // end
            feed.fanout().drain();
            OldFeed oldFeed = (reader, limit) -> List.of(newer.key(), older.key());
            List<String> sample = List.of("ann");
            // guide
            Result result = FeedComparison.of(feed, reader -> oldFeed.newest(reader, 100))
                    .compare(sample);
            // end
            assertThat(result).isEqualTo(new Result(1, List.of()));
            assertThat(feed.unread("ann").count()).isZero();
            feed.publish("bob", "post-3");
            feed.fanout().drain();
            assertThat(feed.unread("ann").count()).isOne();
        }
    }

    /** The host's feed before. */
    private interface OldFeed {
        List<PostKey> newest(String reader, int limit);
    }

    // guide
    static void copyPosts(FeedEngine from, FeedEngine to, String author) {
        Optional<PageRequest> next = Optional.of(PageRequest.first(1000));
        while (next.isPresent()) {
            FeedPage<Post> page = from.readAuthor(author, next.get());
            to.importPosts(page.items());
            next = page.older().map(older -> PageRequest.older(older, 1000));
        }
    }
    // end

    @Test
    @DisplayName("copies all posts of an author from PostgreSQL to Redis, where cursors of clients stay valid")
    void copies() {
        List<Post> posts = IntStream.range(0, 1500)
                .mapToObj(i -> new Post("bob", "post-" + i, NEWEST.minusSeconds(i)))
                .toList();
        try (HikariDataSource dataSource = GuideDatabase.withFeedKit();
                JdbcFeedStore sql = JdbcFeedStore.create(dataSource);
                RedisFeedStore redis = RedisFeedStore.builder(
                                RedisServers.at(RedisServer.shared().uri()))
                        .prefix("guide-migrating")
                        .build();
                FeedEngine from = FeedEngine.builder(sql).workers(0).build();
                FeedEngine to = FeedEngine.builder(redis).workers(0).build()) {
            from.importPosts(posts);
            Cursor middle =
                    from.readAuthor("bob", PageRequest.first(1000)).older().orElseThrow();
            copyPosts(from, to, "bob");
            copyPosts(from, to, "nobody");
            assertThat(to.readAuthor("bob", PageRequest.first(1000)).items()).isEqualTo(posts.subList(0, 1000));
            assertThat(to.readAuthor("bob", PageRequest.older(middle, 1000)).items())
                    .isEqualTo(posts.subList(1000, 1500));
            assertThat(to.readAuthor("nobody", PageRequest.first(1000)).items()).isEmpty();
        }
    }

    @Test
    @DisplayName("shows what is tested here, and all of it")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("migrating.md", "MigratingGuideTest");
    }
}

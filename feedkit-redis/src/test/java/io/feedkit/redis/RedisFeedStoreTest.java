package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.PostEvent;
import io.feedkit.queue.PostEventSink;
import io.feedkit.spi.InboxLimits;
import io.lettuce.core.RedisURI;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A store in Redis")
class RedisFeedStoreTest {

    @Test
    @DisplayName("keeps everything under its prefix, and in sight of other processes")
    void prefix() {
        String prefix = TestInboxes.newPrefix();
        long before = TestInboxes.commands().dbsize();
        try (RedisFeedStore store = RedisFeedStore.builder(RedisServers.at(TestInboxes.uri()))
                        .prefix(prefix)
                        .build();
                FeedEngine feed =
                        FeedEngine.builder(store).policy(FanoutPolicy.hybrid(1)).build()) {
            feed.follow("ann", "bob");
            feed.publish("bob", "1");
            feed.fanout().drain();
            feed.markSeen("ann", feed.read("ann", PageRequest.first(10)).newer());
        }
        assertThat(TestInboxes.commands().keys(prefix + ":*"))
                .allMatch(key -> key.matches(prefix + ":\\{(t[0-9a-f]|[0-9a-f]{2})}:[a-z]+(:.+)?"))
                .hasSize((int) (TestInboxes.commands().dbsize() - before));
        try (RedisFeedStore store = RedisFeedStore.builder(RedisServers.at(TestInboxes.uri()))
                        .prefix(prefix)
                        .build();
                FeedEngine feed = FeedEngine.builder(store).build()) {
            assertThat(feed.read("ann", PageRequest.first(10)).items())
                    .extracting(Post::id)
                    .containsExactly("1");
            assertThat(feed.unread("ann").count()).isZero();
        }
    }

    @Test
    @DisplayName("cannot record events of posts, and says so to an engine that is to send them")
    void postEvents() {
        PostEventSink sink = new PostEventSink() {
            @Override
            public List<FanoutQueue.Sent> send(List<PostEvent> events) {
                return List.of();
            }

            @Override
            public void close() {}
        };
        try (RedisFeedStore store = RedisFeedStore.create(RedisServers.at(TestInboxes.uri()))) {
            assertThatThrownBy(() -> FeedEngine.builder(store).postEvents(sink).build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("postEvents", "keep the outbox in SQL");
        }
    }

    @Test
    @DisplayName("is refused null, and after it was closed, once or twice, nothing can be done")
    void refused() {
        assertThatThrownBy(() -> RedisFeedStore.builder(RedisServers.at((RedisURI) null)))
                .hasMessage("uri must not be null");
        RedisFeedStore store = RedisFeedStore.create(RedisServers.at(TestInboxes.uri()));
        assertThatThrownBy(() -> store.inbox(null)).hasMessage("limits must not be null");
        InboxLimits limits = new InboxLimits(10, 1000);
        store.close();
        store.close();
        assertThatThrownBy(() -> store.graph().followees("ann", "", 1)).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> store.seenMarks().lastSeen(List.of("ann")))
                .isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> store.outbox().fanout().queueStatus()).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> store.inbox(limits).beginFollow("ann", List.of("bob")))
                .isInstanceOf(StoreUnavailableException.class);
    }
}

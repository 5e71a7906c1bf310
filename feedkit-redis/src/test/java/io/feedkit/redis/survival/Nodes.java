package io.feedkit.redis.survival;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testservers.survival.Node;
import io.lettuce.core.RedisURI;
import java.time.Duration;

/** Nodes on a server of this machine. */
final class Nodes {

    static final Duration TIMEOUT = Duration.ofSeconds(2);

    private Nodes() {}

    /** Begins a node that has everything in Redis. */
    static Node.Setup at(int port) {
        return at(port, TIMEOUT);
    }

    /** Begins a node with another time-out. */
    static Node.Setup at(int port, Duration timeout) {
        return Node.on(
                () -> RedisFeedStore.builder(RedisServers.at(RedisURI.create("127.0.0.1", port)))
                        .timeout(timeout)
                        .build(),
                RedisFeedStore::close);
    }

    /** Begins a node that has everything in a cluster. */
    static Node.Setup at(String uri) {
        return Node.on(
                () -> RedisFeedStore.builder(RedisServers.at(uri))
                        .timeout(TIMEOUT)
                        .build(),
                RedisFeedStore::close);
    }

    /** Begins a node that has everything in Redis, and whose writes a replica must have. */
    static Node.Setup replicatedAt(String uri) {
        return Node.on(
                () -> RedisFeedStore.builder(RedisServers.at(uri))
                        .replicas(1)
                        .timeout(TIMEOUT)
                        .build(),
                RedisFeedStore::close);
    }

    /** Begins a node that has only its inboxes in Redis. */
    static Node.Setup withInboxesAt(int port, InMemoryFeedStore truth) {
        return Node.on(
                () -> new Composed(
                        truth,
                        RedisInboxes.builder(RedisServers.at(RedisURI.create("127.0.0.1", port)))
                                .timeout(TIMEOUT)
                                .build()),
                composed -> composed.inboxes().close());
    }

    private record Composed(FeedStore delegate, RedisInboxes inboxes) implements ForwardingFeedStore {
        @Override
        public Inbox inbox(InboxLimits limits) {
            return inboxes.inbox(limits);
        }
    }
}

package io.feedkit.tools.survival;

import io.feedkit.Post;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.redis.RedisInboxes;
import io.feedkit.redis.RedisServers;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingInbox;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A store whose truth is in an SQL database, and its inboxes in Redis, and that counts how many of these are being
 * built. Thread-safe.
 */
final class InboxesApart implements ForwardingFeedStore, AutoCloseable {

    private final JdbcFeedStore truth;
    private final RedisInboxes inboxes;

    /** The generation that is being built of each reader. */
    private final Map<String, Long> building = new ConcurrentHashMap<>();

    private final AtomicInteger mostBuilding = new AtomicInteger();

    private InboxesApart(JdbcFeedStore truth, RedisInboxes inboxes) {
        this.truth = truth;
        this.inboxes = inboxes;
    }

    static InboxesApart open(String database, String redis) {
        return new InboxesApart(
                JdbcFeedStore.builder(database).poolSize(6).build(), RedisInboxes.create(RedisServers.at(redis)));
    }

    @Override
    public JdbcFeedStore delegate() {
        return truth;
    }

    @Override
    public Inbox inbox(InboxLimits limits) {
        Inbox inbox = inboxes.inbox(limits);
        return new Counted(inbox, this);
    }

    int mostBuildingAtATime() {
        return mostBuilding.get();
    }

    @Override
    public void close() {
        inboxes.close();
        truth.close();
    }

    private record Counted(Inbox delegate, InboxesApart store) implements ForwardingInbox {
        @Override
        public Opening open(String reader, long leaseMillis, boolean replace) {
            Opening opening = delegate.open(reader, leaseMillis, replace);
            if (opening.status() == Opening.Status.OPENED) {
                store.building.put(reader, opening.generation());
                store.mostBuilding.accumulateAndGet(store.building.size(), Math::max);
            }
            return opening;
        }

        /** A builder who was too slow, and has been replaced, gives up. */
        @Override
        public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
            boolean merged = delegate.merge(reader, generation, posts, floor);
            if (!merged) {
                store.building.remove(reader, generation);
            }
            return merged;
        }

        @Override
        public boolean complete(String reader, long generation, long mark, long followees) {
            try {
                return delegate.complete(reader, generation, mark, followees);
            } finally {
                store.building.remove(reader, generation);
            }
        }
    }
}

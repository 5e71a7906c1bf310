package io.feedkit.redis;

import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.connection.Servers;
import io.feedkit.redis.internal.start.CheckedLink;
import io.feedkit.spi.FeedStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Any number of empty stores on the shared server, which are closed together. */
final class TestStores implements AutoCloseable {

    private final RedisLink link =
            RedisLink.open(Servers.of(TestInboxes.uri()), Optional.of(TestInboxes.resources()), Duration.ofSeconds(20));

    FeedStore empty(Clock clock) {
        return new RedisFeedStore(
                new CheckedLink(link, List.of()), link, "a test", TestInboxes.newPrefix(), Optional.of(clock));
    }

    @Override
    public void close() {
        link.close();
    }
}

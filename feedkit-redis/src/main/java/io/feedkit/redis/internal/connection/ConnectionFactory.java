package io.feedkit.redis.internal.connection;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.function.Supplier;

/**
 * Creates connections.
 *
 * @param connect creates a connection
 * @param subscribe creates a connection for subscriptions
 * @param refresh reads again which servers there are, if they are a cluster; connections that are created afterwards
 *     know them
 * @param cluster whether the connections are to a cluster
 * @param end ends the client of the connections, if it is FeedKit's
 */
public record ConnectionFactory(
        Supplier<? extends StatefulConnection<byte[], byte[]>> connect,
        Supplier<? extends StatefulRedisPubSubConnection<byte[], byte[]>> subscribe,
        Runnable refresh,
        boolean cluster,
        End end) {

    /** Ends a client. */
    @FunctionalInterface
    public interface End {

        /**
         * Ends the client, even if the caller is interrupted.
         *
         * @param connecting whether the client may be making a connection that no caller has received yet
         */
        void run(boolean connecting);
    }
}

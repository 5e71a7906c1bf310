package io.feedkit.redis.internal.connection;

import io.lettuce.core.api.StatefulConnection;
import java.util.function.Supplier;

/**
 * Creates connections.
 *
 * @param connect creates a connection
 * @param cluster whether the connections are to a cluster
 * @param end ends the client of the connections, if it is FeedKit's
 */
public record ConnectionFactory(
        Supplier<? extends StatefulConnection<byte[], byte[]>> connect, boolean cluster, End end) {

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

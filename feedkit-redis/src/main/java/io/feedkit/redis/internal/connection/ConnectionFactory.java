package io.feedkit.redis.internal.connection;

import io.lettuce.core.api.StatefulConnection;
import java.util.function.Supplier;

/**
 * Makes connections.
 *
 * @param connect makes a connection
 * @param cluster whether the connections are to a cluster
 * @param end ends the client that makes them, if it is FeedKit's
 */
public record ConnectionFactory(
        Supplier<? extends StatefulConnection<byte[], byte[]>> connect, boolean cluster, End end) {

    /** Ends a client. */
    @FunctionalInterface
    public interface End {

        /**
         * Ends it, whether or not the caller is interrupted.
         *
         * @param connecting whether the client may be making a connection that nobody holds yet
         */
        void run(boolean connecting);
    }
}

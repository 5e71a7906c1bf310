package io.feedkit.redis.internal.connection;

import io.lettuce.core.api.StatefulConnection;
import java.util.function.Supplier;

/**
 * How to get connections.
 *
 * @param connect makes one
 * @param cluster whether they are to a cluster
 * @param end ends what makes them, if that is FeedKit's
 */
public record ConnectionFactory(
        Supplier<? extends StatefulConnection<byte[], byte[]>> connect, boolean cluster, End end) {

    /** Ends what makes connections. */
    @FunctionalInterface
    public interface End {

        /**
         * Ends it, whether or not the caller is interrupted.
         *
         * @param connecting whether a connection may just be coming to be, which nobody holds yet
         */
        void run(boolean connecting);
    }
}

package io.feedkit.redis.internal.connection;

import io.lettuce.core.SslOptions;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Optional;

/**
 * What a client of FeedKit's own is made with.
 *
 * @param resources the threads of the host; empty for own ones
 * @param timeout limits connecting and calls
 * @param ssl keys and trusted certificates; empty for those of the JVM
 */
record ClientSettings(Optional<ClientResources> resources, Duration timeout, Optional<SslOptions> ssl) {

    /** Sets the options, unless later ones are set already. */
    ClientSettings with(SslOptions options) {
        return new ClientSettings(resources, timeout, Optional.of(ssl.orElse(options)));
    }
}

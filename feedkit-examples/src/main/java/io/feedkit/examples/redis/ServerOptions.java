package io.feedkit.examples.redis;

import io.lettuce.core.RedisURI;
import picocli.CommandLine.Option;

/** Which server. */
final class ServerOptions {

    @Option(
            names = "--uri",
            paramLabel = "URI",
            defaultValue = "redis://127.0.0.1:6379",
            description = "The server's address (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli sets what has a default
    private String uri;

    /**
     * The address.
     *
     * @throws IllegalArgumentException if it is none
     */
    RedisURI uri() {
        return RedisURI.create(uri);
    }
}

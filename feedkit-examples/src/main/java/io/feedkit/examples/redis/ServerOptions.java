package io.feedkit.examples.redis;

import io.feedkit.redis.RedisInboxes;
import io.lettuce.core.RedisURI;
import picocli.CommandLine.Option;

/** Which server, and what there. */
final class ServerOptions {

    @Option(
            names = "--uri",
            paramLabel = "URI",
            defaultValue = "redis://127.0.0.1:6379",
            description = "The server's address (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli sets what has a default
    private String uri;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = RedisInboxes.DEFAULT_PREFIX,
            description = "What the names of the keys begin with (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private String prefix;

    /**
     * The address.
     *
     * @throws IllegalArgumentException if it is none
     */
    RedisURI uri() {
        return RedisURI.create(uri);
    }

    String prefix() {
        return prefix;
    }
}

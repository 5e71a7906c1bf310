package io.feedkit.spring.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes settings of Redis as addresses that {@code RedisServers} reads.
 *
 * @param user the user, or null
 * @param password the password, or null: then the user is left out, too
 */
public record RedisAddress(@Nullable String user, @Nullable String password) {

    public String server(boolean encrypted, String host, int port, int database) {
        return scheme("redis", encrypted) + host + ":" + port + "/" + database;
    }

    /** Nodes are hosts with ports. */
    public String cluster(boolean encrypted, List<String> nodes) {
        return scheme("redis-cluster", encrypted) + String.join(",", nodes);
    }

    public String sentinel(boolean encrypted, List<String> nodes, int database, String master) {
        return scheme("redis-sentinel", encrypted) + String.join(",", nodes) + "/" + database + "#" + master;
    }

    private String scheme(String scheme, boolean encrypted) {
        return (encrypted ? "rediss" + scheme.substring("redis".length()) : scheme) + "://" + credentials();
    }

    private String credentials() {
        return password == null ? "" : (user == null ? "" : encoded(user)) + ":" + encoded(password) + "@";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }
}

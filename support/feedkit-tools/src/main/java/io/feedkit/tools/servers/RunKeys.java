package io.feedkit.tools.servers;

import io.feedkit.tools.inspect.Connection;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The keys of one run in Redis, under the run's own prefix.
 *
 * @param url the address of Redis
 * @param prefix the prefix of the keys
 */
public record RunKeys(String url, String prefix) {

    /** Keys with a new prefix, which begins with a name. */
    public static RunKeys at(String url, String name) {
        return new RunKeys(url, name + "-" + random());
    }

    /** A new name: random letters and digits after the given beginning. */
    public static String random(String begin) {
        return begin + random();
    }

    static String random() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    }

    /** Deletes all keys. */
    public void remove() {
        try (Connection redis = Connection.open(url)) {
            redis.removeAll(prefix);
        }
    }
}

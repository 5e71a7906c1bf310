package io.feedkit.tools.servers;

import io.feedkit.tools.inspect.Connection;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Keys for one run in Redis, under a prefix of its own.
 *
 * @param url where
 * @param prefix what the keys begin with
 */
public record RunKeys(String url, String prefix) {

    /** Keys that nobody has yet; the name is what the prefix begins with. */
    public static RunKeys at(String url, String name) {
        return new RunKeys(url, name + "-" + random());
    }

    /** A name that nobody has yet: letters and digits after what it begins with. */
    public static String random(String begin) {
        return begin + random();
    }

    static String random() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    }

    /** Removes them all. */
    public void remove() {
        try (Connection redis = Connection.open(url)) {
            redis.removeAll(prefix);
        }
    }
}

package io.feedkit.redis.internal.link;

import java.util.List;

/**
 * A script and what it is about.
 *
 * @param script the script
 * @param keys its KEYS
 * @param arguments its ARGV
 */
public record Call(Script script, List<byte[]> keys, List<byte[]> arguments) {

    /** Copies the lists, not the bytes. */
    public Call {
        keys = List.copyOf(keys);
        arguments = List.copyOf(arguments);
    }

    byte[][] keyArray() {
        return keys.toArray(byte[][]::new);
    }

    byte[][] argumentArray() {
        return arguments.toArray(byte[][]::new);
    }
}

package io.feedkit.redis;

import io.feedkit.FeedKitException;
import io.feedkit.internal.check.Arguments;

/**
 * The keys under the prefix have a format that this library does not support, or are not FeedKit's. Nothing was
 * changed.
 *
 * @since 0.1.0
 */
public final class FormatVersionException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** The key that names the version. */
    private final String key;

    /** The version that was found. */
    private final String found;

    /** The version that was expected. */
    private final String expected;

    /**
     * Creates an exception that names the key and both versions.
     *
     * @param key the key that names the version
     * @param found the version that was found
     * @param expected the version that was expected
     */
    public FormatVersionException(String key, String found, String expected) {
        super(
                "the key " + Arguments.nonNull("key", key) + " holds " + Arguments.nonNull("found", found)
                        + ", but this library needs " + Arguments.nonNull("expected", expected)
                        + ": use the library that wrote it, or another prefix",
                null);
        this.key = key;
        this.found = found;
        this.expected = expected;
    }

    /**
     * The key that names the version.
     *
     * @return its name
     */
    public String key() {
        return key;
    }

    /**
     * The version that was found.
     *
     * @return the part of the store, and its version
     */
    public String found() {
        return found;
    }

    /**
     * The version that was expected.
     *
     * @return the part of the store, and its version
     */
    public String expected() {
        return expected;
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}

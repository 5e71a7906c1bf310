package io.feedkit.redis;

import io.feedkit.FeedKitException;

/** What is under the prefix was written in another format than this library works with, or is not FeedKit's. Nothing was changed. */
public final class FormatVersionException extends FeedKitException {

    private static final long serialVersionUID = 1L;

    /** The key that says the version. */
    private final String key;

    /** What it says. */
    private final String found;

    /** What it should say. */
    private final String expected;

    /**
     * Names what was found.
     *
     * @param key the key that says the version
     * @param found what it says
     * @param expected what it should say
     */
    public FormatVersionException(String key, String found, String expected) {
        super(
                "the key " + key + " holds " + found + ", but " + expected
                        + " is needed: use the library that wrote it, or another prefix",
                null);
        this.key = key;
        this.found = found;
        this.expected = expected;
    }

    /**
     * The key that says the version.
     *
     * @return its name
     */
    public String key() {
        return key;
    }

    /**
     * What the key says.
     *
     * @return the part of the store, and its version
     */
    public String found() {
        return found;
    }

    /**
     * What the key should say.
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

package io.feedkit.tools.servers;

/** The address of a store or a queue, as messages show it. */
public final class ShownUrl {

    private ShownUrl() {}

    /**
     * Returns the address, unless it may contain a password.
     *
     * @param url the value of an option
     * @return the address, or {@code something else}
     */
    public static String of(String url) {
        return url.contains("@") || url.contains("=") ? "something else" : url;
    }
}

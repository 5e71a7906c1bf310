package io.feedkit.internal.counter;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The ids of operations. They may be longer than other ids, because hosts combine several ids into one. Stores get the
 * hash of a long id.
 */
public final class OperationIds {

    /** The longest id, in characters. */
    public static final int MAX_LENGTH = 1000;

    private static final String HASHED = "sha256:";

    private OperationIds() {}

    /**
     * Returns the id in the form that stores get, if it is legal.
     *
     * @throws IllegalArgumentException if the id is null, empty, too long, or holds anything but visible ASCII
     */
    public static String require(String id) {
        int length = Arguments.nonNull("operation", id).length();
        if (length <= Ids.MAX_LENGTH) {
            return Ids.require("operation", id);
        }
        if (length > MAX_LENGTH) {
            throw new IllegalArgumentException("operation must have at most " + MAX_LENGTH + " characters, but has "
                    + length + ": " + Ids.printable(id));
        }
        for (int from = 0; from < length; from += Ids.MAX_LENGTH) {
            String unused = Ids.require("operation", id.substring(from, Math.min(length, from + Ids.MAX_LENGTH)));
        }
        return HASHED + hash(id);
    }

    private static String hash(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

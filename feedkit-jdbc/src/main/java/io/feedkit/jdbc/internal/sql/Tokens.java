package io.feedkit.jdbc.internal.sql;

import java.security.SecureRandom;

/**
 * Draws generations, epochs and versions. They are random, so that no number is used twice, even after the database
 * lost all data.
 */
public final class Tokens {

    private final SecureRandom random = new SecureRandom();

    /** Returns a positive number. */
    public long next() {
        long token = random.nextLong() >>> 1;
        return token == 0 ? next() : token;
    }
}

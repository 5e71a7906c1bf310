package io.feedkit.jdbc.internal.sql;

import java.security.SecureRandom;

/** Generations, epochs and versions: numbers that nobody has seen, and that are never used again, also if everything was lost in between. */
public final class Tokens {

    private final SecureRandom random = new SecureRandom();

    /** A positive number. */
    public long next() {
        long token = random.nextLong() >>> 1;
        return token == 0 ? next() : token;
    }
}

package io.feedkit.jdbc.internal.inbox;

import java.security.SecureRandom;

/** Generations and epochs: numbers that nobody has seen, and that are never used again, also if everything was lost in between. */
final class Tokens {

    private final SecureRandom random = new SecureRandom();

    /** A positive number. */
    long next() {
        long token = random.nextLong() >>> 1;
        return token == 0 ? next() : token;
    }
}

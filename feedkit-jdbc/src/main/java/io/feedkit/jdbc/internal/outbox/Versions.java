package io.feedkit.jdbc.internal.outbox;

import java.security.SecureRandom;

/** Numbers that are never used again, whatever is lost: 63 random bits. */
final class Versions {

    private static final SecureRandom RANDOM = new SecureRandom();

    private Versions() {}

    static Long next() {
        return RANDOM.nextLong() >>> 1;
    }
}

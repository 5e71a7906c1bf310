package io.feedkit.redis.internal.log;

import io.feedkit.redis.internal.format.Arguments;

/**
 * The tokens of leases, which are even, and of loans, which are odd. So scripts distinguish a loan from a lease,
 * although a record has one place for both.
 */
final class TaskTokens {

    private TaskTokens() {}

    static long ofLease() {
        return Arguments.newToken() & ~1L;
    }

    static long ofLoan() {
        return Arguments.newToken() | 1;
    }
}

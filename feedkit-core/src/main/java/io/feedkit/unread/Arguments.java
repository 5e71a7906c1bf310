package io.feedkit.unread;

import org.jspecify.annotations.Nullable;

/** What the calls of this package take. */
final class Arguments {

    private Arguments() {}

    static <T> T nonNull(String name, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(name + " must not be null");
        }
        return value;
    }

    /** The sum of two counts, or the most there can be. */
    static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    static void between(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " must be between " + least + " and " + most + ", but is " + value);
        }
    }
}

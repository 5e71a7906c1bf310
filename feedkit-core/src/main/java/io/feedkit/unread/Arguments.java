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

    static void between(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " must be between " + least + " and " + most + ", but is " + value);
        }
    }
}

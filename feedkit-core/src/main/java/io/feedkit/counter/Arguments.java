package io.feedkit.counter;

import org.jspecify.annotations.Nullable;

/** Checks the arguments of this package's calls. */
final class Arguments {

    private Arguments() {}

    static <T> T nonNull(String name, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(name + " must not be null");
        }
        return value;
    }
}

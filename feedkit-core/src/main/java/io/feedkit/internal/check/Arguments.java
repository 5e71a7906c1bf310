package io.feedkit.internal.check;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Checks of arguments. Each returns the value, or throws an {@link IllegalArgumentException} that names the argument,
 * the bounds and the value.
 */
public final class Arguments {

    private Arguments() {}

    public static <T> T nonNull(String name, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(name + " must not be null");
        }
        return value;
    }

    public static long atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ", but is " + value);
        }
        return value;
    }

    public static int atLeast(String name, int value, int least) {
        return (int) atLeast(name, (long) value, least);
    }

    public static long between(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw outside(name, value, least, most);
        }
        return value;
    }

    public static int between(String name, int value, int least, int most) {
        return (int) between(name, (long) value, least, most);
    }

    public static Duration between(String name, Duration value, Duration least, Duration most) {
        if (nonNull(name, value).compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw outside(name, value, least, most);
        }
        return value;
    }

    private static IllegalArgumentException outside(String name, Object value, Object least, Object most) {
        return new IllegalArgumentException(name + " must be between " + least + " and " + most + ", but is " + value);
    }
}

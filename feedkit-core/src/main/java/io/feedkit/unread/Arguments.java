package io.feedkit.unread;

import io.feedkit.internal.check.Ids;
import java.util.Collection;
import java.util.List;
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

    /** A copy of some ids. */
    static List<String> ids(String name, String names, @Nullable Collection<String> values) {
        return nonNull(names, values).stream()
                .map(each -> Ids.require(name, each))
                .toList();
    }

    /** The sum of two counts, at most {@link Long#MAX_VALUE}. */
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

package io.feedkit.micrometer;

import java.util.Locale;

/** The values of tags. */
final class Names {

    private Names() {}

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The name of an exception's class, without its package. */
    static String of(Throwable failure) {
        String simple = failure.getClass().getSimpleName();
        return simple.isEmpty() ? failure.getClass().getName() : simple;
    }
}

package io.feedkit.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Passes things to a visitor, some at a time. */
final class Listing {

    private static final int AT_ONCE = 1000;

    private Listing() {}

    static <T> void of(Iterable<T> things, Predicate<List<T>> visitor) {
        List<T> some = new ArrayList<>();
        for (T thing : things) {
            some.add(thing);
            if (some.size() == AT_ONCE) {
                if (!visitor.test(some)) {
                    return;
                }
                some = new ArrayList<>();
            }
        }
        if (!some.isEmpty()) {
            boolean unused = visitor.test(some);
        }
    }
}

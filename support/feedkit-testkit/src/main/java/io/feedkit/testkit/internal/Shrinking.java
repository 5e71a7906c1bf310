package io.feedkit.testkit.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Shortens a failing sequence, so that a reader can understand it. */
public final class Shrinking {

    private static final int MOST_TRIES = 400;

    private Shrinking() {}

    /**
     * Removes parts, large ones first, while the rest still fails.
     *
     * @return a failing part of the sequence, in its order
     */
    public static <T> List<T> shortest(List<T> failing, Predicate<List<T>> stillFails) {
        List<T> shortest = failing;
        int tries = 0;
        for (int part = Math.max(1, failing.size() / 2); part >= 1; part /= 2) {
            boolean shorter = true;
            while (shorter) {
                shorter = false;
                for (int start = 0; start < shortest.size() && tries < MOST_TRIES; ) {
                    List<T> fewer = new ArrayList<>(shortest);
                    fewer.subList(start, Math.min(start + part, fewer.size())).clear();
                    tries++;
                    if (stillFails.test(fewer)) {
                        shortest = fewer;
                        shorter = true;
                    } else {
                        start += part;
                    }
                }
            }
        }
        return shortest;
    }
}

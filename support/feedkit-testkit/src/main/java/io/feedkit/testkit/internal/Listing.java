package io.feedkit.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Walks through everything that a store lists, and checks what holds for every walk. */
public final class Listing {

    private static final int MOST_AT_ONCE = 1000;

    private Listing() {}

    /**
     * Everything that a walk passes, possibly several times.
     *
     * @param walk calls the store
     * @return what was passed; empty if the store cannot list, which it may refuse
     */
    public static <T> Optional<List<T>> by(Consumer<Predicate<List<T>>> walk) {
        List<T> all = new ArrayList<>();
        try {
            walk.accept(some -> {
                assertThat(some).as("things that are passed at once").hasSizeBetween(1, MOST_AT_ONCE);
                return all.addAll(some);
            });
            assertEnds(walk);
            return Optional.of(all);
        } catch (UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    private static <T> void assertEnds(Consumer<Predicate<List<T>>> walk) {
        int[] calls = {0};
        walk.accept(some -> {
            calls[0]++;
            return false;
        });
        assertThat(calls[0]).as("calls of a visitor that ends the walk").isLessThanOrEqualTo(1);
    }
}

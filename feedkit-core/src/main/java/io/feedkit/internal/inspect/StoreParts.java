package io.feedkit.internal.inspect;

import io.feedkit.StoreUnavailableException;
import io.feedkit.health.Health.Part;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Asks the parts of a store, and records which of them cannot be reached. A part that has failed is not asked again, so
 * that a caller waits for one time-out of each part at most. Used by one thread.
 */
final class StoreParts {

    private final Map<Part, String> unreachable = new EnumMap<>(Part.class);

    /** The answer of a part; empty if the part cannot be reached. */
    <T> Optional<T> ask(Part part, Supplier<T> question) {
        if (!isReachable(part)) {
            return Optional.empty();
        }
        try {
            return Optional.of(question.get());
        } catch (StoreUnavailableException e) {
            unreachable.put(part, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    boolean isReachable(Part part) {
        return !unreachable.containsKey(part);
    }

    /** What is wrong with each part that cannot be reached. */
    Map<Part, String> unreachable() {
        return Map.copyOf(unreachable);
    }
}

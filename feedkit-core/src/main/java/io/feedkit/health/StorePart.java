package io.feedkit.health;

import io.feedkit.Beta;
import java.util.List;

/**
 * A part of a store that describes itself: what it keeps where, and how durable that is.
 *
 * @since 0.1.0
 */
@Beta
public interface StorePart {

    /**
     * Describes the part, as it was found when it was opened. Makes no call to a server.
     *
     * @return a description for each place where the part keeps data; empty by default
     */
    default List<StoreDescription> describe() {
        return List.of();
    }
}

package io.feedkit.presence;

import io.feedkit.Beta;
import io.feedkit.internal.check.Arguments;
import java.util.List;
import java.util.Optional;

/**
 * One page of the list of readers who are online, the latest seen first.
 *
 * <p>A walk over the pages lists a reader once if the reader is online from the first call to the last, and is not seen
 * meanwhile. A reader who is seen meanwhile moves to the front, so the walk lists the reader once or not at all.
 *
 * @param readers the readers, the latest seen first; unmodifiable. A page may have fewer readers than the limit, or
 *     none, although the list continues
 * @param next the {@code after} of the next call, an opaque text that fits into a URL; absent only at the end of the
 *     list
 * @since 0.1.0
 */
@Beta
public record OnlinePage(List<OnlineReader> readers, Optional<String> next) {

    /**
     * Creates a page, as the engine does; hosts need it in tests of their own.
     *
     * @throws IllegalArgumentException if an argument is null
     */
    public OnlinePage {
        readers = List.copyOf(Arguments.nonNull("readers", readers));
        Arguments.nonNull("next", next);
    }
}

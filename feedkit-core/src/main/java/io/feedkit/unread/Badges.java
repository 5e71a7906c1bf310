package io.feedkit.unread;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterReads.Found;
import io.feedkit.spi.counter.CounterReads.Standing;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.CounterStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads all unread counts of one user in one round trip, or in two if there are announcements since the user's mark.
 * More than a thousand conversations, or some hundred dots, take more. Thread-safe.
 *
 * @since 0.1.0
 */
public final class Badges {

    private final CounterStore store;
    private final Clock clock;

    private Badges(CounterStore store, Clock clock) {
        this.store = Arguments.nonNull("store", store);
        this.clock = Arguments.nonNull("clock", clock);
    }

    /**
     * Badges from a store.
     *
     * @param store where the numbers are kept
     * @return the badges
     */
    public static Badges of(CounterStore store) {
        return of(store, Clock.systemUTC());
    }

    /**
     * Badges from a store, with a clock for the ends of announcements.
     *
     * @param store where the numbers are kept
     * @param clock the clock; {@link #of(CounterStore)} uses the system's
     * @return the badges
     */
    public static Badges of(CounterStore store, Clock clock) {
        return new Badges(store, clock);
    }

    /**
     * The unread counts of one user.
     *
     * @param types the typed counts
     * @param conversations the unread messages in each requested conversation; {@code 0} if the user is not a member
     * @param announcements how many announcements the user has not seen
     * @param dots the requested dots that are visible to the user
     */
    public record Badge(UnreadCounts types, Map<String, Long> conversations, long announcements, Set<String> dots) {

        /** Copies the collections. */
        public Badge {
            Arguments.nonNull("types", types);
            conversations = Map.copyOf(Arguments.nonNull("conversations", conversations));
            dots = Set.copyOf(Arguments.nonNull("dots", dots));
        }

        /**
         * The sum of all counts, without the dots.
         *
         * @return the sum, at most {@link Long#MAX_VALUE}
         */
        public long total() {
            long total = UnreadCounts.sum(types.total(), announcements);
            for (long unread : conversations.values()) {
                total = UnreadCounts.sum(total, unread);
            }
            return total;
        }
    }

    /**
     * Reads a badge. Each of its numbers is of one moment, but different numbers may be of different moments.
     *
     * @param user the user
     * @param conversations the conversations to count
     * @param segments the segments this user belongs to
     * @param dots the dots to read
     * @return the badge
     * @throws IllegalArgumentException if an id is not legal
     */
    public Badge get(
            String user, Collection<String> conversations, Collection<String> segments, Collection<String> dots) {
        List<String> asked = Ids.requireAll("conversation", "conversations", conversations);
        List<String> askedDots = Ids.requireAll("dot", "dots", dots);
        Set<String> audience = Announcements.audience(segments);
        List<CellKey> cells = new ArrayList<>(Announcements.cells(user));
        int first = cells.size();
        cells.addAll(RedDots.keys(user, askedDots));
        List<CellKey> marks = Conversations.marks(user, asked);
        Found found = store.read(Wanted.NOTHING
                .withCellsOf(first(cells))
                .withCells(List.of(UnreadCounter.owner(user)))
                .withStandings(first(marks)));
        List<Cell> cellsOf = withRest(found.cellsOf(), cells, store::cellsOf);
        List<Standing> standings = withRest(found.standings(), marks, store::standings);
        Map<String, Long> unread = new LinkedHashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            unread.put(asked.get(i), Conversations.unread(standings.get(i)));
        }
        return new Badge(
                UnreadCounter.counts(user, found.cells().get(0)),
                unread,
                Announcements.unread(store, cellsOf, audience, clock.millis()),
                RedDots.visible(askedDots, cellsOf.subList(first, cells.size())));
    }

    private static <I> List<I> first(List<I> requests) {
        return requests.subList(0, Math.min(requests.size(), CounterReads.AT_ONCE));
    }

    /** The answers of the first read, and those of further reads for the requests that did not fit into it. */
    private static <I, A> List<A> withRest(List<A> found, List<I> requests, Function<List<I>, List<A>> read) {
        if (requests.size() <= CounterReads.AT_ONCE) {
            return found;
        }
        List<A> all = new ArrayList<>(found);
        all.addAll(read.apply(requests.subList(CounterReads.AT_ONCE, requests.size())));
        return all;
    }
}

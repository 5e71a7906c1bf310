package io.feedkit.unread;

import static java.util.Objects.requireNonNull;

import io.feedkit.internal.check.Ids;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Found;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.CounterStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads all unread counts of one user in one round trip. Thread-safe. */
public final class Badges {

    private final CounterStore store;

    private Badges(CounterStore store) {
        this.store = requireNonNull(store, "store");
    }

    /**
     * Badges from a store.
     *
     * @param store where the numbers are
     * @return the badges
     */
    public static Badges of(CounterStore store) {
        return new Badges(store);
    }

    /**
     * The unread counts of one user.
     *
     * @param types the typed counts
     * @param conversations the unread messages in each requested conversation; {@code 0} if the user is not a member
     * @param announcements how many announcements the user has not seen
     * @param dots the requested dots that are lit
     */
    public record Badge(UnreadCounts types, Map<String, Long> conversations, long announcements, Set<String> dots) {

        /** Copies the collections. */
        public Badge {
            conversations = Map.copyOf(conversations);
            dots = Set.copyOf(dots);
        }

        /**
         * The sum of all counts; dots do not count.
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
     * @param dots the dots to look at
     * @return the badge
     * @throws IllegalArgumentException if an id is not legal
     */
    public Badge read(
            String user, Collection<String> conversations, Collection<String> segments, Collection<String> dots) {
        List<String> asked = Ids.requireAll("conversation", "conversations", conversations);
        List<String> askedDots = Ids.requireAll("dot", "dots", dots);
        Set<String> meant = Announcements.meant(segments);
        Wanted wanted = Announcements.wanted(Wanted.NOTHING, user);
        List<CellKey> cells = new ArrayList<>(wanted.cellsOf());
        int first = cells.size();
        cells.addAll(RedDots.keys(user, askedDots));
        Found found = store.read(wanted.withCellsOf(cells)
                .withCells(List.of(StoredUnreadCounter.owner(user)))
                .withStandings(Conversations.marks(user, asked)));
        Map<String, Long> unread = new LinkedHashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            unread.put(asked.get(i), Conversations.unread(found.standings().get(i)));
        }
        return new Badge(
                StoredUnreadCounter.counts(user, found.cells().get(0)),
                unread,
                Announcements.unread(found, meant),
                RedDots.lit(askedDots, found.cellsOf().subList(first, cells.size())));
    }
}

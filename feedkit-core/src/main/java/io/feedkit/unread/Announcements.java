package io.feedkit.unread;

import static java.util.Objects.requireNonNull;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Found;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Put;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.Replaced;
import io.feedkit.spi.counter.CounterWrites.When;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One list of announcements, for everybody or for segments of users, and one mark for each user. A user without a mark
 * has nothing unread. Thread-safe.
 *
 * <p>The host knows which segments a user belongs to, and passes them with each read.
 */
public final class Announcements {

    /** The segment of everybody. */
    public static final String EVERYBODY = "*";

    /** The label of withdrawn announcements; no segment has this name, because it is not a legal id. */
    private static final String WITHDRAWN = "";

    private static final Owner LIST = new Owner(Space.ANNOUNCEMENTS, "all");
    private static final CellKey LAST = new CellKey(LIST, "");

    private final CounterStore store;

    private Announcements(CounterStore store) {
        this.store = requireNonNull(store, "store");
    }

    /**
     * Announcements on a store.
     *
     * @param store where they are
     * @return the announcements
     */
    public static Announcements of(CounterStore store) {
        return new Announcements(store);
    }

    private static CellKey mark(String user) {
        return new CellKey(new Owner(Space.ANNOUNCEMENTS_SEEN, Ids.require("user", user)), "");
    }

    /**
     * Adds an announcement. Atomic; idempotent: an id that was announced before, withdrawn or not, changes nothing.
     *
     * @param id the announcement's id
     * @param segment the segment of users it is for; {@link #EVERYBODY} for all users
     */
    public void announce(String id, String segment) {
        store.put(List.of(new Put(
                LIST, Ids.require("id", id), Ids.require("segment", segment), OptionalLong.empty(), Replaced.NONE)));
    }

    /**
     * Withdraws an announcement, so that it counts for nobody. Idempotent; an unknown one changes nothing.
     *
     * @param id the announcement's id
     */
    public void withdraw(String id) {
        store.relabel(LIST, Ids.require("id", id), WITHDRAWN);
    }

    /**
     * Records that a user is there for the first time, with nothing unread. A user who has a mark keeps it. Idempotent.
     *
     * @param user the user
     */
    public void enter(String user) {
        mark(user, When.ABSENT);
    }

    /**
     * Records that a user has seen all announcements so far. Idempotent.
     *
     * @param user the user
     */
    public void seen(String user) {
        mark(user, When.ALWAYS);
    }

    private void mark(String user, When when) {
        CellKey mark = mark(user);
        long last = store.cell(LAST).count();
        store.raise(List.of(new Raise(mark, last, 0, Optional.empty(), when).writtenBehind()));
    }

    /**
     * Counts the announcements that a user has not seen, in one round trip.
     *
     * @param user the user
     * @param segments the segments this user belongs to
     * @return the count, {@code 0} for a user without a mark
     */
    public long unread(String user, Collection<String> segments) {
        Set<String> meant = meant(segments);
        Found found = store.read(wanted(Wanted.NOTHING, user));
        return unread(found, meant);
    }

    static Set<String> meant(Collection<String> segments) {
        Set<String> meant = new HashSet<>(Set.of(EVERYBODY));
        Arguments.nonNull("segments", segments).forEach(segment -> meant.add(Ids.require("segment", segment)));
        return meant;
    }

    /** Adds the cells and sets of the announcements to a request that has no {@code cellsOf} and no {@code members}. */
    static Wanted wanted(Wanted others, String user) {
        return others.withCellsOf(List.of(mark(user))).withMembers(List.of(LIST));
    }

    static long unread(Found found, Set<String> meant) {
        OptionalLong seen = found.cellsOf().get(0).mark();
        if (seen.isEmpty()) {
            return 0;
        }
        return found.members().get(0).stream()
                .filter(each -> each.number() > seen.getAsLong() && meant.contains(each.label()))
                .count();
    }

    /**
     * Forgets a user's mark. Idempotent.
     *
     * @param user the user
     */
    public void forget(String user) {
        store.forget(List.of(mark(user).owner()));
    }
}

package io.feedkit.unread;

import static java.util.Objects.requireNonNull;

import io.feedkit.spi.Ids;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterStore.CellKey;
import io.feedkit.spi.counter.CounterStore.Found;
import io.feedkit.spi.counter.CounterStore.Owner;
import io.feedkit.spi.counter.CounterStore.Put;
import io.feedkit.spi.counter.CounterStore.Raise;
import io.feedkit.spi.counter.CounterStore.Replaced;
import io.feedkit.spi.counter.CounterStore.Space;
import io.feedkit.spi.counter.CounterStore.Wanted;
import io.feedkit.spi.counter.CounterStore.When;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One list of announcements for everybody or for segments of users, and one mark a user. A user without a mark has
 * nothing unread. Thread-safe.
 *
 * <p>The host knows who belongs to which segment, and says so when it reads.
 */
public final class Announcements {

    /** The segment of everybody. */
    public static final String EVERYBODY = "*";

    /** The label of those that were withdrawn; no segment has this name, for it is no id. */
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
     * Announces something. Atomic; idempotent: an id that was announced before, withdrawn or not, changes nothing.
     *
     * @param id the announcement
     * @param segment who it is for; {@link #EVERYBODY} for all
     */
    public void announce(String id, String segment) {
        store.put(List.of(new Put(
                LIST, Ids.require("id", id), Ids.require("segment", segment), OptionalLong.empty(), Replaced.NONE)));
    }

    /**
     * Withdraws an announcement, so that it counts for nobody. Idempotent; an unknown one changes nothing.
     *
     * @param id the announcement
     */
    public void withdraw(String id) {
        store.relabel(LIST, Ids.require("id", id), WITHDRAWN);
    }

    /**
     * Says that a user is there for the first time, and begins with nothing unread. A user who has a mark keeps it.
     * Idempotent.
     *
     * @param user who
     */
    public void enter(String user) {
        mark(user, When.ABSENT);
    }

    /**
     * Says that a user has seen all announcements so far. Idempotent.
     *
     * @param user who
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
     * Counts what a user has not seen, in one round trip.
     *
     * @param user who
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

    /** What is to be read beside other things that are not cells of their own, nor sets. */
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
     * @param user who
     */
    public void forget(String user) {
        store.forget(List.of(mark(user).owner()));
    }
}

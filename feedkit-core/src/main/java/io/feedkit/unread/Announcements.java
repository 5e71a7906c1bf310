package io.feedkit.unread;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.counter.SeveralSteps;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterReads.PageOf;
import io.feedkit.spi.counter.CounterReads.Wanted;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Put;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.Replaced;
import io.feedkit.spi.counter.CounterWrites.When;
import io.feedkit.spi.counter.Member;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
 *
 * @since 0.1.0
 */
public final class Announcements {

    /** The segment of everybody. */
    public static final String EVERYBODY = "*";

    /** How long the id of an announcement is kept after its end. */
    public static final Duration KEPT_AFTER_END = Duration.ofDays(1);

    /** The segment of removed announcements; no segment has this name, because it is not a legal id. */
    private static final String NOBODY = "";

    /** Separates segment and end in a label. No id contains a space. */
    private static final char END = ' ';

    /** The most announcements in one read. */
    private static final int PAGE = 1000;

    /** The latest end that fits into a label. */
    private static final Instant LATEST = Instant.ofEpochMilli(9_999_999_999_999L);

    /** The prefix of all ids. */
    private static final String ALL = "";

    private static final Owner LIST = new Owner(Space.ANNOUNCEMENTS, "all");
    private static final CellKey LAST = new CellKey(LIST, "");

    private final CounterStore store;
    private final Clock clock;

    private Announcements(CounterStore store, Clock clock) {
        this.store = Arguments.nonNull("store", store);
        this.clock = Arguments.nonNull("clock", clock);
    }

    /**
     * Announcements on a store.
     *
     * @param store where the announcements are kept
     * @return the announcements
     */
    public static Announcements of(CounterStore store) {
        return of(store, Clock.systemUTC());
    }

    /**
     * Announcements on a store, whose ends are compared with a clock.
     *
     * @param store where the announcements are kept
     * @param clock the clock; {@link #of(CounterStore)} uses the system's
     * @return the announcements
     */
    public static Announcements of(CounterStore store, Clock clock) {
        return new Announcements(store, clock);
    }

    private static CellKey mark(String user) {
        return new CellKey(new Owner(Space.ANNOUNCEMENTS_SEEN, Ids.require("user", user)), "");
    }

    /**
     * Adds an announcement without an end: it counts until it is removed, for each user who has not seen it.
     * Otherwise as {@link #add(String, String, Instant)}.
     *
     * @param id the announcement's id
     * @param segment the segment of users it is for; {@link #EVERYBODY} for all users
     */
    public void add(String id, String segment) {
        add(id, segment, Optional.empty());
    }

    /**
     * Adds an announcement that counts until its end. Atomic; idempotent: an id that was added before, removed or not,
     * changes nothing. The id is kept until {@link #KEPT_AFTER_END} after the end. The call also deletes announcements
     * whose ids need not be kept any more. If the call fails, repeating it finishes the work.
     *
     * @param id the announcement's id
     * @param segment the segment of users it is for; {@link #EVERYBODY} for all users
     * @param end when it stops counting, 1970 or later
     * @throws IllegalArgumentException if an id is not legal, or the end is null or out of range
     */
    public void add(String id, String segment, Instant end) {
        add(id, segment, Optional.of(Arguments.nonNull("end", end)));
    }

    private void add(String id, String segment, Optional<Instant> end) {
        Ids.require("id", id);
        String label =
                Ids.require("segment", segment) + end.map(Announcements::text).orElse("");
        SeveralSteps.run("announcements.add", store, steps -> {
            steps.put(List.of(new Put(LIST, id, label, OptionalLong.empty(), Replaced.NONE)));
            long expiredUpTo = clock.millis() - KEPT_AFTER_END.toMillis();
            List<String> ended = steps.members(LIST).stream()
                    .filter(each -> end(each) <= expiredUpTo)
                    .map(Member::name)
                    .toList();
            if (!ended.isEmpty()) {
                steps.removeMembers(LIST, ended);
            }
        });
    }

    private static String text(Instant end) {
        if (end.isBefore(Instant.EPOCH) || end.isAfter(LATEST)) {
            throw new IllegalArgumentException(
                    "end must be between " + Instant.EPOCH + " and " + LATEST + ", but is " + end);
        }
        return END + Long.toString(end.toEpochMilli());
    }

    private static String segment(Member announcement) {
        int end = announcement.label().indexOf(END);
        return end < 0 ? announcement.label() : announcement.label().substring(0, end);
    }

    /** When an announcement stops counting, in milliseconds. */
    private static long end(Member announcement) {
        int end = announcement.label().indexOf(END);
        return end < 0 ? Long.MAX_VALUE : Long.parseLong(announcement.label().substring(end + 1));
    }

    /**
     * Removes an announcement, so that it does not count for any user. Its id is kept for {@link #KEPT_AFTER_END}.
     * Idempotent; an unknown id changes nothing.
     *
     * @param id the announcement's id
     */
    public void remove(String id) {
        store.relabel(LIST, Ids.require("id", id), NOBODY + text(clock.instant()));
    }

    /**
     * Records a new user, with nothing unread. A user who has a mark keeps it. Idempotent.
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
    public void markAllSeen(String user) {
        mark(user, When.ALWAYS);
    }

    private void mark(String user, When when) {
        CellKey mark = mark(user);
        long last = store.cell(LAST).count();
        store.raise(List.of(new Raise(mark, last, 0, Optional.empty(), when).writtenBehind()));
    }

    /**
     * Counts the announcements that a user has not seen. The call takes one round trip if there are no announcements
     * since the mark; otherwise, it takes one more for each thousand announcements since the mark.
     *
     * @param user the user
     * @param segments the segments this user belongs to
     * @return the count, {@code 0} for a user without a mark
     */
    public long get(String user, Collection<String> segments) {
        Set<String> audience = audience(segments);
        return unread(store, store.cellsOf(cells(user)), audience, clock.millis());
    }

    /** The segments of a user, including {@link #EVERYBODY}. */
    static Set<String> audience(Collection<String> segments) {
        Set<String> audience = new HashSet<>(Set.of(EVERYBODY));
        Arguments.nonNull("segments", segments).forEach(segment -> audience.add(Ids.require("segment", segment)));
        return audience;
    }

    /** The user's mark, and the number of the last announcement. */
    static List<CellKey> cells(String user) {
        return List.of(mark(user), LAST);
    }

    /**
     * Counts the announcements above the mark, up to the last announcement at the time when the mark was read. Reads
     * nothing if there are none.
     *
     * @param cells the cells of {@link #cells}
     */
    static long unread(CounterStore store, List<Cell> cells, Set<String> audience, long now) {
        OptionalLong seen = cells.get(0).mark();
        if (seen.isEmpty()) {
            return 0;
        }
        long mark = seen.getAsLong();
        long last = cells.get(1).count();
        long unread = 0;
        while (last > mark) {
            int limit = (int) Math.min(PAGE, last - mark);
            List<Member> page = store.read(Wanted.NOTHING.withPages(List.of(new PageOf(LIST, ALL, last + 1, limit))))
                    .pages()
                    .get(0);
            unread += page.stream()
                    .filter(each -> each.number() > mark && audience.contains(segment(each)) && end(each) > now)
                    .count();
            last = page.size() < limit ? mark : page.get(limit - 1).number() - 1;
        }
        return unread;
    }

    /**
     * Deletes a user's mark. Idempotent.
     *
     * @param user the user
     */
    public void forget(String user) {
        store.forget(List.of(mark(user).owner()));
    }
}

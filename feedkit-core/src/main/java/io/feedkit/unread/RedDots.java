package io.feedkit.unread;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.counter.SeveralSteps;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.When;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Red dots. A dot has a version, which only rises. Adding a version shows the dot, to all users or to some, until each
 * user has seen that version or the dot is removed. Clocks are not compared. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RedDots {

    private static final String VERSION = "";
    private static final String FOR_ALL = "all";
    private static final String HIDDEN = "out";
    /**
     * The prefix of the mark up to which a dot was shown to the user alone; {@link #SEEN} is the prefix of the version
     * that the user has seen.
     */
    private static final String SHOWN = "lit/";

    private static final String SEEN = "seen/";

    private final CounterStore store;

    private RedDots(CounterStore store) {
        this.store = Arguments.nonNull("store", store);
    }

    /**
     * Dots on a store.
     *
     * @param store where the versions are kept
     * @return the dots
     */
    public static RedDots of(CounterStore store) {
        return new RedDots(store);
    }

    private static CellKey dot(String dot, String name) {
        return new CellKey(new Owner(Space.DOT, Ids.require("dot", dot)), name);
    }

    private static CellKey user(String user, String name) {
        return new CellKey(new Owner(Space.DOTS, Ids.require("user", user)), name);
    }

    /**
     * Adds a version of a dot, which shows the dot to all users.
     *
     * @param dot the dot
     * @return the dot's new version
     */
    public long add(String dot) {
        Ids.require("dot", dot);
        return SeveralSteps.call("dots.add", store, steps -> {
            long version = next(steps, dot);
            steps.raise(List.of(new Raise(dot(dot, FOR_ALL), version, 0, Optional.of(VERSION), When.ALWAYS)));
            return version;
        });
    }

    /**
     * Adds a version of a dot, which shows the dot to some users.
     *
     * @param dot the dot
     * @param users the users
     * @return the dot's new version
     */
    public long add(String dot, Collection<String> users) {
        Ids.require("dot", dot);
        List<CellKey> shown = Arguments.nonNull("users", users).stream()
                .map(user -> user(user, SHOWN + dot))
                .toList();
        return SeveralSteps.call("dots.add", store, steps -> {
            long version = next(steps, dot);
            steps.raiseAll(shown.stream()
                    .map(key -> new Raise(key, version, 0, Optional.empty(), When.ALWAYS))
                    .toList());
            return version;
        });
    }

    private static long next(CounterStore steps, String dot) {
        return steps.add(List.of(new Add(dot(dot, VERSION), 1, Optional.empty())))
                .get(0)
                .count();
    }

    /**
     * Hides a dot from all users, until a version is added again. Idempotent.
     *
     * @param dot the dot
     */
    public void remove(String dot) {
        store.raise(List.of(new Raise(dot(dot, HIDDEN), Long.MAX_VALUE, 0, Optional.of(VERSION), When.ALWAYS)));
    }

    /**
     * Records that a user has seen a dot's newest version.
     *
     * @param user the user
     * @param dot the dot
     */
    public void markSeen(String user, String dot) {
        markSeen(user, dot, Long.MAX_VALUE);
    }

    /**
     * Records that a user has seen a version of a dot. The mark never moves back, and a version beyond the newest
     * counts as the newest. A dot without versions is left out. Idempotent.
     *
     * @param user the user
     * @param dot the dot
     * @param version the version that was shown, at least 0
     */
    public void markSeen(String user, String dot, long version) {
        Arguments.between("version", version, 0, Long.MAX_VALUE);
        CellKey seen = user(user, SEEN + dot);
        long newest = store.cell(dot(dot, VERSION)).count();
        if (newest == 0) {
            return;
        }
        store.raise(
                List.of(new Raise(seen, Math.min(version, newest), 0, Optional.empty(), When.ALWAYS).writtenBehind()));
    }

    /**
     * Returns which of some dots are visible to a user, in one round trip for each 250 dots.
     *
     * @param user the user
     * @param dots the dots
     * @return the dots that are visible
     */
    public Set<String> get(String user, Collection<String> dots) {
        List<String> asked = Ids.requireAll("dot", "dots", dots);
        return visible(asked, store.cellsOf(keys(user, asked)));
    }

    private static final int KEYS = 4;

    static List<CellKey> keys(String user, List<String> dots) {
        Ids.require("user", user);
        List<CellKey> keys = new ArrayList<>(KEYS * dots.size());
        for (String dot : dots) {
            keys.addAll(List.of(dot(dot, FOR_ALL), dot(dot, HIDDEN), user(user, SHOWN + dot), user(user, SEEN + dot)));
        }
        return keys;
    }

    /** Returns which of some dots are visible, given the cells of their {@link #keys}. */
    static Set<String> visible(List<String> dots, List<Cell> cells) {
        Set<String> visible = new HashSet<>();
        for (int i = 0; i < dots.size(); i++) {
            int at = KEYS * i;
            long from = Math.max(mark(cells.get(at)), mark(cells.get(at + 2)));
            long to = Math.max(mark(cells.get(at + 1)), mark(cells.get(at + 3)));
            if (from > to) {
                visible.add(dots.get(i));
            }
        }
        return visible;
    }

    private static long mark(Cell cell) {
        return cell.mark().orElse(0);
    }

    /**
     * Deletes the dots that were shown to a user alone, and the versions that the user has seen. So dots that are shown
     * to all users are visible to this user again. Idempotent.
     *
     * @param user the user
     */
    public void forget(String user) {
        store.forget(List.of(user(user, "").owner()));
    }
}

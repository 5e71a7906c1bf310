package io.feedkit.jdbc.internal.counter;

import static java.util.Objects.requireNonNull;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jdbi.v3.core.Handle;

/**
 * Removes old views page by page, in the order of the primary key, so that they need no index by time. Each page starts
 * where the previous one ended. The first page starts at the first row, or at a random row.
 */
final class ViewCleanup {

    private static final int PAGE = 1000;

    record View(String user, String post, long at) {}

    private static final View START = new View("", "", 0);

    /** The number of removed views, and the view after which the next page starts. */
    record Page(int removed, View last) {
        boolean isLast() {
            return last.equals(START);
        }
    }

    private final Database database;
    private final CellTable cells;
    private final Optional<RandomGenerator> random;
    private final String pageSql;
    private final String removeSql;
    private final String lowestSql;
    private final String highestSql;
    private final AtomicReference<Optional<View>> place;

    /** Creates a cleanup that starts at the first row. */
    ViewCleanup(Database database, CellTable cells) {
        this(database, cells, Optional.empty());
    }

    /** Creates a cleanup that starts at a random row. */
    ViewCleanup(Database database, CellTable cells, RandomGenerator random) {
        this(database, cells, Optional.of(random));
    }

    private ViewCleanup(Database database, CellTable cells, Optional<RandomGenerator> random) {
        this.database = database;
        this.cells = cells;
        this.random = random;
        place = new AtomicReference<>(random.isPresent() ? Optional.empty() : Optional.of(START));
        String views = " FROM ${counter_member} WHERE space = '" + Space.VIEWS.name() + "' AND ";
        pageSql = database.sql("SELECT owner, member, number" + views
                + "owner >= :owner AND (owner > :owner OR member > :member) ORDER BY owner, member LIMIT " + PAGE);
        String owners = "SELECT owner FROM ${counter_member} WHERE space = '" + Space.VIEWS.name() + "' ORDER BY owner";
        lowestSql = database.sql(owners + " LIMIT 1");
        highestSql = database.sql(owners + " DESC LIMIT 1");
        removeSql = database.sql("DELETE" + views + "owner = :owner AND member = :member AND number <= :until");
    }

    /** Reads a page, and removes its views up to a time, up to a limit. */
    Page purge(Handle handle, long until, int limit) {
        View after = requireNonNull(place.get()).orElseGet(() -> anywhere(handle));
        List<View> page = database.query(handle, pageSql)
                .bind("owner", after.user())
                .bind("member", after.post())
                .map((row, context) -> new View(row.getString(1), row.getString(2), row.getLong(3)))
                .list();
        List<View> old = new ArrayList<>();
        View last = after;
        for (View view : page) {
            if (old.size() == limit) {
                break;
            }
            last = view;
            if (view.at() <= until) {
                old.add(view);
            }
        }
        boolean isLast = page.size() < PAGE && (page.isEmpty() || last.equals(page.get(page.size() - 1)));
        int removed = old.isEmpty() ? 0 : remove(handle, old, until);
        return new Page(removed, isLast ? START : last);
    }

    private View anywhere(Handle handle) {
        Optional<String> lowest = owner(handle, lowestSql);
        Optional<String> highest = owner(handle, highestSql);
        return lowest.isEmpty() || highest.isEmpty()
                ? START
                : new View(RandomId.between(lowest.get(), highest.get(), random.orElseThrow()), "", 0);
    }

    private Optional<String> owner(Handle handle, String sql) {
        return database.query(handle, sql).mapTo(String.class).findOne();
    }

    /** Whether the next page is the first page of the table. */
    boolean isAtStart() {
        return requireNonNull(place.get()).filter(START::equals).isPresent();
    }

    /** Lets the next page start after a committed one. */
    void continueAfter(Page page) {
        place.set(Optional.of(page.last()));
    }

    /** Removes views under the locks of the users' sets. */
    private int remove(Handle handle, List<View> old, long until) {
        cells.lock(
                handle,
                old.stream()
                        .map(view -> CellTable.set(new Owner(Space.VIEWS, view.user())))
                        .toList());
        int removed = 0;
        for (int rows : Batches.run(
                database,
                handle,
                removeSql,
                old,
                (batch, view) -> batch.bind("owner", view.user())
                        .bind("member", view.post())
                        .bind("until", until))) {
            removed += rows == 0 ? 0 : 1;
        }
        return removed;
    }
}

package io.feedkit.jdbc.internal.inbox.delivery;

import io.feedkit.jdbc.internal.inbox.table.InboxRow;
import io.feedkit.jdbc.internal.inbox.table.InboxTable;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.MultiTransaction;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.InboxLimits;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Delivers to inboxes that have room, in PostgreSQL, with one statement: counting the entry in the inbox's row locks the row and checks it once more as it is then; what was
 * counted is inserted. What was neither is looked at without a lock, for most of it has no inbox. Full inboxes, and rows that others changed in between, are left to
 * {@link LockingDelivery}.
 *
 * <p>The rows for one post are locked in the order of keys. Those for several are locked as the database finds them, which in a small table is not the same for all once versions of rows
 * pile up because somebody's transaction stays open; so such deliveries may deadlock, for which the database takes a second each time. After a delivery that failed or had to be begun
 * again, this leaves deliveries to {@link LockingDelivery}, which always locks in the order of keys, for a while.
 */
final class PostgresBulkDelivery {

    private static final ParameterTable PUSHES = ParameterTable.named("r")
            .text("wanted")
            .number("at")
            .text("post")
            .text("writer")
            .number("seen");
    private static final ParameterTable READERS = ParameterTable.named("r").text("wanted");
    /** How many deliveries are left to the safe way after a deadlock: so many that the second it took is little beside them. */
    private static final int CAREFUL = 1000;

    private final Database database;
    private final InboxTable rows;
    private final InboxLimits limits;
    private final String insertOne;
    private final String insertSeveral;
    private final String discount;
    private final AtomicInteger careful = new AtomicInteger();

    /** What was not a full success: the readers whose inboxes counted the entry, and those that got it. */
    private record Partly(Set<String> counted, Set<String> added) {

        static final Partly NOT_AT_ALL = new Partly(Set.of(), Set.of());

        static Optional<Partly> of(ResultSet row) throws SQLException {
            return row.getBoolean("complete")
                    ? Optional.empty()
                    : Optional.of(new Partly(readers(row, "counted"), readers(row, "added")));
        }

        private static Set<String> readers(ResultSet row, String column) throws SQLException {
            Array readers = row.getArray(column);
            return new HashSet<>(Arrays.asList((String[]) readers.getArray()));
        }
    }

    PostgresBulkDelivery(Database database, InboxTable rows, InboxLimits limits) {
        this.database = database;
        this.rows = rows;
        this.limits = limits;
        insertOne = database.sql(insertOne(READERS.array(database.dialect())));
        insertSeveral = database.sql(insertSeveral(PUSHES.drivingSource(database.dialect())));
        discount = database.sql(new Joins(database.dialect())
                .update(READERS, "${inbox}", "b", "entries = entries - 1", "b.reader = r.wanted"));
    }

    /** One post, in the parameters. The rows are locked in the order of keys, whatever the plan, and then updated as they are by then. */
    private static String insertOne(String readers) {
        return """
                WITH locked AS MATERIALIZED (
                    SELECT b.reader FROM ${inbox} b WHERE b.reader = ANY(%s) AND %s
                     ORDER BY b.reader FOR NO KEY UPDATE OF b),
                counted AS (
                    UPDATE ${inbox} b SET entries = b.entries + 1 FROM locked WHERE b.reader = locked.reader RETURNING b.reader),
                """.formatted(readers, room(":")) + insert(":at, :post, :writer");
    }

    /** Several posts, each beside its reader. */
    private static String insertSeveral(String pushes) {
        return """
                WITH counted AS (
                    UPDATE ${inbox} b SET entries = b.entries + 1 FROM %s WHERE b.reader = r.wanted AND %s
                    RETURNING b.reader, r.at, r.post, r.writer),
                """.formatted(pushes, room("r.")) + insert("at, post, writer");
    }

    private static String room(String post) {
        return """
                b.state <> 'ABSENT' AND b.ends_at > ${now} AND b.entries < :stored
                       AND (b.renewed_at >= %1$sseen OR b.state = 'BUILDING')
                       AND (b.floor_at, b.floor_id, b.floor_author) <= (%1$sat, %1$spost, %1$swriter)""".formatted(post);
    }

    private static String insert(String post) {
        return """
                added AS (
                    INSERT INTO ${inbox_entry} (reader, published_at, id, author) SELECT reader, %s FROM counted
                    ON CONFLICT DO NOTHING RETURNING reader),
                result AS (SELECT count(*) = :pushes AS complete FROM added)
                SELECT complete, CASE WHEN NOT complete THEN ARRAY(SELECT reader FROM counted) END AS counted,
                       CASE WHEN NOT complete THEN ARRAY(SELECT reader FROM added) END AS added
                  FROM result""".formatted(post);
    }

    /** Delivers pushes to different readers, in their order, notes what became of them by reader, and returns those that have to be looked at again. */
    List<InboxInsert> deliver(List<InboxInsert> pushes, Map<String, Outcome> outcomes, MultiTransaction transactions) {
        if (careful.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return pushes;
        }
        Optional<Partly> partly = once(pushes);
        transactions.committed(partly.map(done -> done.added().size()).orElse(pushes.size()));
        if (partly.isEmpty()) {
            pushes.forEach(push -> outcomes.put(push.reader(), Outcome.ADDED));
            return List.of();
        }
        partly.get().counted().forEach(reader -> outcomes.put(reader, Outcome.PRESENT));
        partly.get().added().forEach(reader -> outcomes.put(reader, Outcome.ADDED));
        return refuse(remaining(pushes, outcomes), outcomes);
    }

    /** Delivers, unless the database wants that done again. */
    private Optional<Partly> once(List<InboxInsert> pushes) {
        AtomicInteger tries = new AtomicInteger();
        boolean done = false;
        try {
            Optional<Partly> partly = database.transaction(
                    "inbox.deliver",
                    handle -> tries.incrementAndGet() > 1 ? Optional.of(Partly.NOT_AT_ALL) : deliver(handle, pushes));
            done = tries.get() == 1;
            return partly;
        } finally {
            if (!done) {
                careful.set(CAREFUL);
            }
        }
    }

    private Optional<Partly> deliver(Handle handle, List<InboxInsert> pushes) {
        InboxInsert first = pushes.get(0);
        boolean ofOnePost = pushes.stream().allMatch(push -> push.delivery() == first.delivery());
        Query query = ofOnePost ? one(handle, first, pushes) : several(handle, pushes);
        Optional<Partly> partly = query.bind("stored", limits.stored())
                .bind("pushes", pushes.size())
                .map((row, context) -> Partly.of(row))
                .one();
        partly.ifPresent(done -> discount(handle, done));
        return partly;
    }

    private Query one(Handle handle, InboxInsert first, List<InboxInsert> pushes) {
        ParameterTable.Rows readers = READERS.fill();
        pushes.forEach(push -> readers.add(push.reader()));
        return database.query(handle, insertOne, readers)
                .bind("at", first.post().publishedAt().toEpochMilli())
                .bind("post", first.post().id())
                .bind("writer", first.post().author())
                .bind("seen", first.seenSince());
    }

    private Query several(Handle handle, List<InboxInsert> pushes) {
        ParameterTable.Rows filled = PUSHES.fill();
        for (InboxInsert push : pushes) {
            filled.add(
                    push.reader(),
                    push.post().publishedAt().toEpochMilli(),
                    push.post().id(),
                    push.post().author(),
                    push.seenSince());
        }
        return database.query(handle, insertSeveral, filled);
    }

    /** Takes back what was counted for entries that were there already. */
    private void discount(Handle handle, Partly done) {
        if (done.counted().size() > done.added().size()) {
            ParameterTable.Rows present = READERS.fill();
            done.counted().stream()
                    .filter(reader -> !done.added().contains(reader))
                    .sorted()
                    .forEach(present::add);
            database.execute(handle, discount, present);
        }
    }

    private static List<InboxInsert> remaining(List<InboxInsert> pushes, Map<String, Outcome> outcomes) {
        return pushes.stream()
                .filter(push -> !outcomes.containsKey(push.reader()))
                .toList();
    }

    /** Notes for whom there is no inbox that takes the post. */
    private List<InboxInsert> refuse(List<InboxInsert> pushes, Map<String, Outcome> outcomes) {
        if (pushes.isEmpty()) {
            return pushes;
        }
        Map<String, InboxRow> found = database.read(
                "inbox.deliver",
                handle -> rows.find(
                        handle, pushes.stream().map(InboxInsert::reader).toList()));
        for (InboxInsert push : pushes) {
            Optional<InboxRow> row = Optional.ofNullable(found.get(push.reader()));
            if (row.filter(InboxRow::isExpired).isEmpty()) {
                push.refusal(row).ifPresent(refusal -> outcomes.put(push.reader(), refusal));
            }
        }
        return remaining(pushes, outcomes);
    }
}

package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Rows;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.InboxLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;

/**
 * Delivers to inboxes that have room, in PostgreSQL, with one statement: counting the entry in the inbox's row locks the row and checks it once more as it is then;
 * what was counted is inserted. Only what did not end in an insertion comes back. Full inboxes, and rows that others changed in between, are left to {@link SafeDelivery}.
 *
 * <p>Rows are locked in the order in which the database finds them. In a small table that is where they lie, which is not the same for all once versions of rows pile up because
 * somebody's transaction stays open. So deliveries may deadlock, for which the database takes a second each time. After one that did, this leaves deliveries to
 * {@link SafeDelivery}, which locks in the order of keys, for a while.
 */
final class SwiftDelivery {

    private static final Rows PUSHES = Rows.named("r")
            .text("wanted")
            .number("at")
            .text("post")
            .text("writer")
            .number("seen");
    private static final Rows READERS = Rows.named("r").text("wanted");
    /** How many deliveries are left to the safe way after a deadlock: so many that the second it took is little beside them. */
    private static final int CAREFUL = 1000;

    private static final String LOOK_AGAIN = "LOOK_AGAIN";
    private static final String IS_SEEN = "(b.state = 'BUILDING' OR b.renewed_at >= r.seen)";
    private static final String TAKES = "(b.floor_at, b.floor_id, b.floor_author) <= (r.at, r.post, r.writer)";

    private final Database database;
    private final InboxLimits limits;
    private final String insert;
    private final String discount;
    private final AtomicInteger careful = new AtomicInteger();

    SwiftDelivery(Database database, InboxLimits limits) {
        this.database = database;
        this.limits = limits;
        insert = database.sql("WITH r AS MATERIALIZED (SELECT * FROM " + PUSHES.walked(database.dialect()) + "),"
                + " counted AS (UPDATE ${inbox} b SET entries = b.entries + 1 FROM r"
                + " WHERE b.reader = r.wanted AND b.state <> 'ABSENT' AND b.ends_at > ${now} AND b.entries < :stored"
                + " AND " + IS_SEEN + " AND " + TAKES
                + " RETURNING b.reader, r.at, r.post, r.writer),"
                + " added AS (INSERT INTO ${inbox_entry} (reader, published_at, id, author)"
                + " SELECT reader, at, post, writer FROM counted ON CONFLICT DO NOTHING RETURNING reader)"
                + " SELECT r.i, CASE WHEN r.wanted IN (SELECT reader FROM counted) THEN 'PRESENT'"
                + " ELSE coalesce((SELECT CASE WHEN b.state = 'ABSENT' THEN 'NOT_LIVE'"
                + " WHEN b.ends_at <= ${now} THEN 'LOOK_AGAIN'"
                + " WHEN NOT " + IS_SEEN + " THEN 'NOT_LIVE'"
                + " WHEN NOT " + TAKES + " THEN 'BELOW_FLOOR' ELSE 'LOOK_AGAIN' END"
                + " FROM ${inbox} b WHERE b.reader = r.wanted), 'NOT_LIVE') END AS outcome"
                + " FROM r WHERE r.wanted NOT IN (SELECT reader FROM added)");
        discount = database.sql(new Joins(database.dialect())
                .update(READERS, "${inbox}", "b", "entries = entries - 1", "b.reader = r.wanted"));
    }

    /** Delivers pushes to different readers, in their order, and returns those that have to be looked at again. */
    List<Push> deliver(List<Push> pushes, Map<Push, Outcome> outcomes) {
        if (careful.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return pushes;
        }
        AtomicBoolean tried = new AtomicBoolean();
        Map<Push, String> others = database.transaction(
                "inbox.deliver", handle -> tried.getAndSet(true) ? leave(pushes) : deliver(handle, pushes));
        List<Push> again = new ArrayList<>();
        for (Push push : pushes) {
            String other = others.getOrDefault(push, Outcome.ADDED.name());
            if (other.equals(LOOK_AGAIN)) {
                again.add(push);
            } else {
                outcomes.put(push, Outcome.valueOf(other));
            }
        }
        return again;
    }

    private Map<Push, String> leave(List<Push> pushes) {
        careful.set(CAREFUL);
        Map<Push, String> others = new HashMap<>();
        pushes.forEach(push -> others.put(push, LOOK_AGAIN));
        return others;
    }

    private Map<Push, String> deliver(Handle handle, List<Push> pushes) {
        Rows.Filled filled = PUSHES.fill();
        for (Push push : pushes) {
            filled.add(
                    push.reader(),
                    push.post().publishedAt().toEpochMilli(),
                    push.post().id(),
                    push.post().author(),
                    push.seenSince());
        }
        Map<Push, String> others = filled.bindTo(database.query(handle, insert), database.dialect())
                .bind("stored", limits.stored())
                .map((row, context) -> Map.entry(pushes.get(row.getInt("i") - 1), row.getString("outcome")))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue);
        discount(handle, pushes, others);
        return others;
    }

    /** Takes back what was counted for entries that were there already. */
    private void discount(Handle handle, List<Push> pushes, Map<Push, String> others) {
        Rows.Filled present = READERS.fill();
        for (Push push : pushes) {
            if (Outcome.PRESENT.name().equals(others.get(push))) {
                present.add(push.reader());
            }
        }
        if (present.size() > 0) {
            present.bindTo(database.update(handle, discount), database.dialect())
                    .execute();
        }
    }
}

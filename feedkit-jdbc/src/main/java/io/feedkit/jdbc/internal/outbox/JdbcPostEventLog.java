package io.feedkit.jdbc.internal.outbox;

import io.feedkit.Post;
import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Durations;
import io.feedkit.queue.PostEvent;
import io.feedkit.spi.PostEventLog;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/**
 * The events of posts that are not sent yet, with a row for each. Senders find events by conditions on the rows, and
 * never by a highest time, because clocks do not follow the order of commits.
 *
 * <p>A row is due from {@code due_at} on: the time since which the event has waited, or until which it is leased. An
 * event whose lease has expired is therefore due without a further write. The token of a lease is the row's number of
 * leases.
 */
final class JdbcPostEventLog implements PostEventLog {

    private static final String COLUMNS = "id, type, aggregateid, post_id, published_at, recorded_at";

    /** An event with its new token, and the time since which it was due. */
    private record Due(Claim claim, long since) {}

    private static final Comparator<Due> IN_TURN = Comparator.comparingLong(Due::since)
            .thenComparing(due -> due.claim().event().type())
            .thenComparing(due -> due.claim().event().id());

    private final Database database;
    private final String lease;
    private final String find;
    private final String give;
    private final String finish;
    private final String release;
    private final String unsent;

    JdbcPostEventLog(Database database) {
        this.database = database;
        String due = " FROM ${post_event} WHERE due_at <= ${now} ORDER BY due_at, type, id LIMIT :max"
                + " FOR UPDATE SKIP LOCKED";
        String leased = "UPDATE ${post_event} SET lease = lease + 1, due_at = ${now} + :millis";
        // The query is a subquery, so that no more rows are locked than the limit allows.
        lease = database.sql("WITH due AS MATERIALIZED (SELECT * FROM (SELECT id AS due_id, due_at AS due_since" + due
                + ") AS first) " + leased + " FROM due WHERE id = due_id RETURNING due_since, lease, " + COLUMNS);
        find = database.sql("SELECT due_at AS due_since, lease + 1 AS lease, " + COLUMNS + due);
        give = database.sql(leased + " WHERE id = :id");
        String held = " WHERE id = :id AND lease = :lease AND due_at > ${now}";
        finish = database.sql("DELETE FROM ${post_event}" + held);
        release = database.sql("UPDATE ${post_event} SET due_at = ${now}" + held);
        unsent = database.sql("""
                SELECT (SELECT count(*) FROM (SELECT id FROM ${post_event} LIMIT %d) unsent) AS events,
                       (SELECT min(recorded_at) FROM ${post_event}) AS oldest""".formatted(COUNTED_AT_MOST));
    }

    @Override
    public List<Claim> claim(int max, long leaseMillis) {
        long millis = Durations.bounded(leaseMillis);
        List<Due> due = database.dialect() == Dialect.POSTGRESQL
                ? database.statement("events.claim", handle -> due(handle, lease, max, millis))
                : database.transaction("events.claim", handle -> findAndLease(handle, max, millis));
        return due.stream().sorted(IN_TURN).map(Due::claim).toList();
    }

    private List<Due> due(Handle handle, String sql, int max, long millis) {
        return database.query(handle, sql)
                .bind("max", max)
                .bind("millis", millis)
                .map((row, context) -> new Due(new Claim(event(row), row.getLong("lease")), row.getLong("due_since")))
                .list();
    }

    private List<Due> findAndLease(Handle handle, int max, long millis) {
        List<Due> found = due(handle, find, max, millis);
        List<String> ids =
                found.stream().map(each -> each.claim().event().id()).sorted().toList();
        Batches.run(
                database, handle, give, ids, (batch, id) -> batch.bind("id", id).bind("millis", millis));
        return found;
    }

    private static PostEvent event(ResultSet row) throws SQLException {
        return new PostEvent(
                row.getString("id"),
                EventTable.type(row.getString("type")),
                Post.of(row.getString("aggregateid"), row.getString("post_id"), row.getLong("published_at")),
                Instant.ofEpochMilli(row.getLong("recorded_at")));
    }

    @Override
    public List<Boolean> finish(List<Claim> claims) {
        return eachHeld("events.finish", finish, claims);
    }

    @Override
    public List<Boolean> release(List<Claim> claims) {
        return eachHeld("events.release", release, claims);
    }

    /** Runs the updates in the order of the rows' keys, so that batches do not deadlock. */
    private List<Boolean> eachHeld(String operation, String sql, List<Claim> claims) {
        if (claims.isEmpty()) {
            return List.of();
        }
        List<Integer> inOrder = IntStream.range(0, claims.size())
                .boxed()
                .sorted(Comparator.comparing(i -> claims.get(i).event().id()))
                .toList();
        int[] changed = database.transaction(
                operation,
                handle -> Batches.run(
                        database,
                        handle,
                        sql,
                        inOrder,
                        (batch, i) -> batch.bind("id", claims.get(i).event().id())
                                .bind("lease", claims.get(i).lease())));
        Boolean[] answers = new Boolean[claims.size()];
        Arrays.fill(answers, false);
        for (int i = 0; i < changed.length; i++) {
            answers[inOrder.get(i)] = changed[i] == 1;
        }
        return List.of(answers);
    }

    @Override
    public Unsent unsent() {
        return database.read(
                "events.unsent",
                handle -> database.query(handle, unsent)
                        .map((row, context) -> new Unsent(row.getLong("events"), row.getLong("oldest")))
                        .one());
    }
}

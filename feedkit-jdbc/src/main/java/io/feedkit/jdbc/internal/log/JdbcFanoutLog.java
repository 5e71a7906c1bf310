package io.feedkit.jdbc.internal.log;

import io.feedkit.jdbc.internal.notification.NotificationListener;
import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.SourceTable;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.PulledRegister;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;

/**
 * The log of fan-out tasks, with a row for each task. Workers find tasks by conditions on the rows, and never by a
 * highest number or time, because neither sequences nor clocks follow the order of commits.
 *
 * <p>Only a task that is neither finished nor dead has a {@code due_at}: the time from which a waiting task can be
 * claimed, or until which a task is leased or lent. A task whose lease or loan has expired is therefore due without a
 * further write. A claim takes the rows that have been due longest and that no other claim has locked ({@code SKIP
 * LOCKED}). Every later write updates one row, names the lease or the loan, and changes nothing if the lease or the
 * loan was lost. The token of a lease or a loan is the number of the row's leases and loans so far.
 */
public final class JdbcFanoutLog implements FanoutLog {

    private static final int LISTED_AT_ONCE = 1000;

    private final Database database;
    private final SourceTable source;
    private final TaskClaims claims;
    private final TaskLoans loans;
    private final TaskWrites writes;
    private final TaskReplacements replacements;
    private final TaskNotification notification;
    private final Optional<NotificationListener> listener;
    private final String status;
    private final String kinds;
    private final String invisible;
    private final String dead;
    private final TaskSearch search;
    private final String unfinished;
    private final String lastId;
    private final String replay;
    private final String discard;
    private final String delayed;
    private final String hasten;
    private final TaskRestart restart;
    private final String forgettable;
    private final String forget;

    /** Creates the log of a database, without notifications. */
    public JdbcFanoutLog(Database database) {
        this(database, Optional.empty());
    }

    /**
     * Creates the log of a database. With a listener, the log wakes its watchers at the notifications of other
     * processes.
     */
    public JdbcFanoutLog(Database database, Optional<NotificationListener> listener) {
        this.database = database;
        this.source = new SourceTable(database);
        this.notification = new TaskNotification(database);
        this.listener = listener;
        this.claims = new TaskClaims(database);
        this.loans = new TaskLoans(database);
        this.writes = new TaskWrites(database);
        this.replacements = new TaskReplacements(database, notification);
        status = database.sql("""
                SELECT (SELECT count(*) FROM (SELECT id FROM ${task} WHERE due_at <= ${now} LIMIT %1$d) ready) AS ready,
                       coalesce(sum(CASE WHEN later.state = 'LEASED' THEN 1 ELSE 0 END), 0) AS leased,
                       coalesce(sum(CASE WHEN later.state = 'WAITING' THEN 1 ELSE 0 END), 0) AS deferred,
                       (SELECT count(*) FROM (SELECT id FROM ${task} WHERE state = 'DEAD' LIMIT %1$d) dead) AS dead,
                       (SELECT count(*) FROM
                           (SELECT id FROM ${task} WHERE state = 'LENT' AND due_at > ${now} LIMIT %2$d) lent) AS lent
                FROM (SELECT state FROM ${task} WHERE due_at > ${now} ORDER BY due_at LIMIT %1$d) later
                """.formatted(COUNTED_AT_MOST, LENT_AT_MOST));
        kinds = database.sql("SELECT kind, count(*) FROM (SELECT kind FROM ${task} WHERE due_at IS NOT NULL"
                + " ORDER BY due_at LIMIT " + KINDS_AMONG + ") first_due GROUP BY kind");
        invisible = database.sql("SELECT unsettled_at FROM ${task} WHERE shown = 0 AND unsettled_at >= 0"
                + " ORDER BY shown, unsettled_at LIMIT 1");
        dead = database.sql("SELECT " + TaskRow.COLUMNS
                + ", reason, ended_at FROM ${task} WHERE state = 'DEAD' AND id > :after ORDER BY id LIMIT :limit");
        search = new TaskSearch(database);
        lastId = database.sql("SELECT coalesce(max(id), 0) FROM ${task}");
        unfinished = database.sql("SELECT " + TaskRow.COLUMNS + " FROM ${task} WHERE id > :after AND id <= :last"
                + " AND state IN ('WAITING', 'LEASED', 'LENT') ORDER BY id LIMIT " + LISTED_AT_ONCE);
        String wake = """
                UPDATE ${task} SET state = 'WAITING', attempts = 0, outages = 0, outage_since = 0, due_at = ${now},
                       ended_at = NULL, forget_at = NULL, shown = 1,
                       unsettled_at = CASE WHEN kind IN ('PUSH', 'PULL', 'CATCH_UP', 'IMPORT') THEN created_at END""";
        replay = database.sql(wake + " WHERE id = :id AND state = 'DEAD'");
        discard = database.sql("DELETE FROM ${task} WHERE id = :id AND state = 'DEAD'");
        String held = "state = 'WAITING' AND due_at > ${now}";
        delayed = database.sql("SELECT id FROM ${task} WHERE " + held
                + " AND kind NOT IN ('PUSH_ACTIVE', 'RETRACT_LATER') AND newest_at <= ${now}"
                + " ORDER BY due_at LIMIT :limit");
        hasten = database.sql("UPDATE ${task} SET due_at = ${now} WHERE id = :id AND " + held);
        restart = new TaskRestart(database, notification, wake);
        forgettable = database.sql("SELECT id FROM ${task} WHERE forget_at <= ${now} ORDER BY forget_at LIMIT :limit");
        forget = database.sql("DELETE FROM ${task} WHERE id = :id AND forget_at <= ${now}");
    }

    @Override
    public Map<Kind, Long> unfinishedByKind() {
        return database.read("log.kinds", handle -> {
            Map<Kind, Long> counts = new EnumMap<>(Kind.class);
            database.query(handle, kinds)
                    .map((row, context) -> Map.entry(Kind.valueOf(row.getString(1)), row.getLong(2)))
                    .forEach(count -> counts.put(count.getKey(), count.getValue()));
            return counts;
        });
    }

    @Override
    public boolean canLend() {
        return true;
    }

    @Override
    public String policyInUse() {
        return source.policy();
    }

    @Override
    public void usePolicy(String name) {
        source.policy(name);
    }

    @Override
    public List<Claim> claim(int max, long leaseMillis) {
        return claims.claim(max, leaseMillis);
    }

    @Override
    public List<LentTask> lend(int max, long loanMillis, int window) {
        return claims.lend(max, loanMillis, window);
    }

    @Override
    public List<Optional<Claim>> take(List<Loan> lent, long leaseMillis) {
        return loans.take(lent, leaseMillis);
    }

    @Override
    public List<Boolean> returnLoans(List<Loan> lent) {
        return writes.returnLoans(lent);
    }

    @Override
    public List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
        return writes.checkpoint(progress, leaseMillis);
    }

    @Override
    public List<Boolean> release(List<Release> releases) {
        return writes.release(releases);
    }

    @Override
    public List<Boolean> finish(List<Claim> done, long retainMillis) {
        return writes.finish(done, retainMillis);
    }

    @Override
    public List<Boolean> fail(List<Failure> failures) {
        return writes.fail(failures);
    }

    @Override
    public List<Boolean> postpone(List<Postponement> postponements) {
        return writes.postpone(postponements);
    }

    @Override
    public int hasten(int most) {
        return database.transaction("log.hasten", handle -> {
            List<Long> keys = database.query(handle, delayed)
                    .bind("limit", most)
                    .mapTo(Long.class)
                    .list();
            keys.sort(null);
            return keys.isEmpty() ? 0 : notification.after(handle, each(handle, hasten, keys));
        });
    }

    @Override
    public boolean moveToDeadLetters(Claim claim, int attempts, String reason) {
        return writes.moveToDeadLetters(claim, attempts, reason);
    }

    @Override
    public boolean split(Claim claim, List<KeyRange> ranges) {
        return replacements.split(claim, ranges);
    }

    @Override
    public boolean retractLater(Claim claim, long delayMillis) {
        return replacements.retractLater(claim, delayMillis);
    }

    @Override
    public boolean catchUp(String author, PulledRegister.Entry entry) {
        return replacements.catchUp(author, entry);
    }

    @Override
    public QueueStatus queueStatus() {
        return database.read(
                "log.queueStatus",
                handle -> database.query(handle, status)
                        .map((row, context) -> new QueueStatus(
                                Math.min(
                                        row.getLong("ready") + row.getLong("leased") + row.getLong("lent"),
                                        COUNTED_AT_MOST),
                                row.getLong("deferred"),
                                row.getLong("dead"),
                                row.getLong("lent")))
                        .one());
    }

    @Override
    public long invisibleSince() {
        return invisibleSince(database);
    }

    /** Does the same, through a database that {@linkplain Database#readingIn reads in a transaction} of the host's. */
    public long invisibleSince(Database reading) {
        return reading.read(
                "log.invisibleSince",
                handle -> reading.query(handle, invisible)
                        .mapTo(Long.class)
                        .findOne()
                        .orElse(0L));
    }

    @Override
    public List<Dead> dead(String after, int limit) {
        long key = TaskRow.key(after).orElse(0L);
        return List.copyOf(database.read(
                "log.dead",
                handle -> database.query(handle, dead)
                        .bind("after", key)
                        .bind("limit", limit)
                        .map((row, context) -> TaskRow.dead(row))
                        .list()));
    }

    /** A walk ends at the last row that was there when it began. Otherwise it might follow the appends for ever. */
    @Override
    public void forEachUnfinished(Predicate<List<Task>> visitor) {
        long last = database.read(
                "log.forEachUnfinished",
                handle -> database.query(handle, lastId).mapTo(Long.class).one());
        List<Task> tasks = unfinished(0, last);
        while (!tasks.isEmpty() && visitor.test(tasks)) {
            long after = TaskRow.key(tasks.get(tasks.size() - 1).id()).orElseThrow();
            tasks = tasks.size() < LISTED_AT_ONCE ? List.of() : unfinished(after, last);
        }
    }

    private List<Task> unfinished(long after, long last) {
        return database.read(
                "log.forEachUnfinished",
                handle -> database.query(handle, unfinished)
                        .bind("after", after)
                        .bind("last", last)
                        .map((row, context) -> TaskRow.task(row))
                        .list());
    }

    @Override
    public Found find(String author, int among) {
        return search.find(author, among);
    }

    @Override
    public int replay(Collection<String> ids) {
        List<Long> keys = keys(ids);
        return keys.isEmpty()
                ? 0
                : database.transaction("log.replay", handle -> notification.after(handle, each(handle, replay, keys)));
    }

    @Override
    public int discard(Collection<String> ids) {
        List<Long> keys = keys(ids);
        return keys.isEmpty() ? 0 : database.transaction("log.discard", handle -> each(handle, discard, keys));
    }

    private static List<Long> keys(Collection<String> ids) {
        return ids.stream().flatMap(id -> TaskRow.key(id).stream()).sorted().toList();
    }

    @Override
    public OptionalInt restart(long loss, long finishedSince) {
        return restart.run(loss, finishedSince);
    }

    @Override
    public long latestLoss() {
        return restart.latestLoss();
    }

    @Override
    public Watch watch(Runnable wakeUp) {
        return listener.map(active -> watch(active, wakeUp)).orElseGet(() -> FanoutLog.super.watch(wakeUp));
    }

    private static Watch watch(NotificationListener listener, Runnable wakeUp) {
        NotificationListener.Registration registration = listener.add(new NotificationListener.Receiver() {
            @Override
            public void connected() {
                wakeUp.run();
            }

            @Override
            public void received(List<String> texts) {
                wakeUp.run();
            }
        });
        return registration::close;
    }

    /**
     * Deletes finished tasks whose retention has ended.
     *
     * @param limit the maximum number of tasks
     * @return the number of deleted tasks
     */
    public int forget(int limit) {
        return database.transaction("log.forget", handle -> {
            List<Long> keys = database.query(handle, forgettable)
                    .bind("limit", limit)
                    .mapTo(Long.class)
                    .list();
            keys.sort(null);
            return keys.isEmpty() ? 0 : each(handle, forget, keys);
        });
    }

    private int each(Handle handle, String sql, List<Long> keys) {
        int changed = 0;
        for (int count : Batches.run(database, handle, sql, keys, (batch, key) -> batch.bind("id", key))) {
            changed += count;
        }
        return changed;
    }
}

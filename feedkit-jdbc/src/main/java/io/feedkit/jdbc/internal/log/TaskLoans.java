package io.feedkit.jdbc.internal.log;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Durations;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Loan;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/** Exchanges loans for leases. The rows are locked in the order of their keys, so that batches do not deadlock. */
final class TaskLoans {

    private static final ParameterTable LOANS =
            ParameterTable.named("loan").number("loan_key").number("loan_token");

    /** A row, and the token under which it is lent. */
    private record Lent(long key, long token) {

        static Optional<Lent> of(Loan loan) {
            return TaskRow.key(loan.taskId()).map(key -> new Lent(key, loan.token()));
        }
    }

    private static final Comparator<Lent> BY_KEY =
            Comparator.comparingLong(Lent::key).thenComparingLong(Lent::token);

    /** A loan that was exchanged for a lease. */
    private record Taken(Lent lent, Claim claim) {

        static Taken of(ResultSet row) throws SQLException {
            long loan = row.getLong("loan");
            return new Taken(new Lent(row.getLong("id"), loan), new Claim(TaskRow.task(row), loan + 1));
        }
    }

    private final Database database;
    private final String take;
    private final String find;
    private final String lease;

    TaskLoans(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        Joins joins = new Joins(dialect);
        String match = "t.id = loan_key AND t.lease = loan_token";
        String asked = switch (dialect) {
            case POSTGRESQL, MYSQL, MARIADB -> joins.from(LOANS, "${task} t", match) + " WHERE true";
            case H2 -> "${task} t WHERE t.id IN (SELECT loan_key FROM " + LOANS.source(dialect) + ")";
        };
        String locked = " FROM " + asked + " AND t.state = 'LENT' AND t.due_at > ${now}"
                + (dialect.isMySql() ? "" : " ORDER BY t.id") + dialect.forUpdate("t");
        String leased = "UPDATE ${task} SET state = 'LEASED', lease = lease + 1, due_at = ${now} + :lease";
        take = database.sql("WITH lent AS MATERIALIZED (SELECT t.id AS lent_id" + locked + ") " + leased
                + " FROM lent WHERE id = lent_id RETURNING lease - 1 AS loan, " + TaskRow.COLUMNS);
        find = database.sql("SELECT lease AS loan, " + TaskRow.COLUMNS + locked);
        lease = database.sql(leased + " WHERE id = :id");
    }

    List<Optional<Claim>> take(List<Loan> loans, long leaseMillis) {
        NavigableSet<Lent> asked = new TreeSet<>(BY_KEY);
        loans.forEach(loan -> Lent.of(loan).ifPresent(asked::add));
        Map<Lent, Claim> taken = asked.isEmpty() ? new HashMap<>() : take(asked, Durations.bounded(leaseMillis));
        return loans.stream()
                .map(loan -> Lent.of(loan).flatMap(lent -> Optional.ofNullable(taken.remove(lent))))
                .toList();
    }

    private Map<Lent, Claim> take(NavigableSet<Lent> asked, long leaseMillis) {
        ParameterTable.Rows rows = LOANS.fill();
        asked.forEach(lent -> rows.add(lent.key(), lent.token()));
        List<Taken> taken = database.dialect() == Dialect.POSTGRESQL
                ? database.statement("log.take", handle -> takeAtOnce(handle, rows, leaseMillis))
                : database.transaction("log.take", handle -> findAndTake(handle, asked, rows, leaseMillis));
        Map<Lent, Claim> claims = new HashMap<>();
        taken.forEach(each -> claims.put(each.lent(), each.claim()));
        return claims;
    }

    private List<Taken> takeAtOnce(Handle handle, ParameterTable.Rows rows, long leaseMillis) {
        return database.query(handle, take, rows)
                .bind("lease", leaseMillis)
                .map((row, context) -> Taken.of(row))
                .list();
    }

    private List<Taken> findAndTake(
            Handle handle, NavigableSet<Lent> asked, ParameterTable.Rows rows, long leaseMillis) {
        List<Taken> found = database.query(handle, find, rows).map((row, context) -> Taken.of(row)).stream()
                .filter(taken -> asked.contains(taken.lent()))
                .toList();
        Batches.run(
                database,
                handle,
                lease,
                found,
                (batch, taken) -> batch.bind("id", taken.lent().key()).bind("lease", leaseMillis));
        return found;
    }
}

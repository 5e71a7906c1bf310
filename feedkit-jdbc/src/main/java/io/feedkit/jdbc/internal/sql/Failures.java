package io.feedkit.jdbc.internal.sql;

import io.feedkit.FeedKitException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.Addresses;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.JdbiException;

/** Classifies the failures of databases, and turns them into FeedKit's exceptions. */
public final class Failures {

    /** Serialization failure, deadlock (PostgreSQL), lock not available (PostgreSQL). */
    private static final Set<String> TRY_AGAIN = Set.of("40001", "40P01", "55P03");

    /** H2: deadlock, concurrent update, lock time-out. MySQL and MariaDB: lock time-out, deadlock. */
    private static final Set<Integer> TRY_AGAIN_CODES = Set.of(40_001, 90_131, 50_200, 1205, 1213);

    /** H2, MySQL and MariaDB: the database, the server or the transaction is read-only. */
    private static final Set<Integer> READ_ONLY_CODES = Set.of(90_097, 1290, 1792, 1836);

    /** H2: the connection is broken, or the database is closed or was closed meanwhile. */
    private static final Set<Integer> LOST_CODES = Set.of(90_067, 90_098, 90_121);

    /** PostgreSQL: unknown table, column, function or schema, and bad syntax. Elsewhere such states begin with 42S. */
    private static final Set<String> PERMANENT = Set.of("42P01", "42703", "42883", "3F000", "42601");

    private Failures() {}

    /** Returns the first failure of the database in the chain of causes. */
    static Optional<SQLException> sql(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return Optional.of(sql);
            }
        }
        return Optional.empty();
    }

    /** Whether a transaction was rolled back because of other transactions, and may be retried. */
    static boolean isContention(Throwable failure) {
        return sql(failure)
                .filter(sql -> TRY_AGAIN.contains(String.valueOf(sql.getSQLState()))
                        || TRY_AGAIN_CODES.contains(sql.getErrorCode()))
                .isPresent();
    }

    /** Whether a key exists already. */
    public static boolean isDuplicateKey(Throwable failure) {
        return sql(failure)
                .filter(sql -> "23505".equals(sql.getSQLState()) || sql.getErrorCode() == 1062)
                .isPresent();
    }

    /** Whether the database or the connection is read-only. */
    public static boolean isReadOnly(Throwable failure) {
        return sql(failure)
                .filter(sql -> "25006".equals(sql.getSQLState())
                        || READ_ONLY_CODES.contains(sql.getErrorCode())
                        || saysReadOnly(sql))
                .isPresent();
    }

    /** MySQL's driver refuses writes itself, without a code or a state that only this failure has. */
    private static boolean saysReadOnly(SQLException sql) {
        return "S1009".equals(sql.getSQLState())
                && String.valueOf(sql.getMessage()).startsWith("Connection is read-only");
    }

    /** Whether the database did not understand a statement, or does not allow it. */
    public static boolean isRefused(Throwable failure) {
        return sql(failure)
                .filter(sql -> String.valueOf(sql.getSQLState()).startsWith("42"))
                .isPresent();
    }

    /** Whether a failure comes from the database, and not from a mistake of the caller. */
    static boolean isOfDatabase(RuntimeException failure) {
        return !(failure instanceof FeedKitException)
                && (failure instanceof JdbiException || sql(failure).isPresent());
    }

    /**
     * Whether the answer was lost, so that the outcome of the statement is unknown. If the server reports an error, the
     * statement had no effect.
     */
    static boolean isAnswerLost(Throwable failure) {
        return sql(failure).map(Failures::saysAnswerLost).orElse(true);
    }

    private static boolean saysAnswerLost(SQLException sql) {
        String state = String.valueOf(sql.getSQLState());
        return sql instanceof SQLNonTransientConnectionException
                || sql instanceof SQLRecoverableException
                || LOST_CODES.contains(sql.getErrorCode())
                || state.startsWith("08")
                || state.startsWith("57P")
                || state.equals("null");
    }

    /**
     * Whether a statement fails until the database is changed: a table or a column is missing, or the database does not
     * understand the statement.
     */
    private static boolean isPermanent(Throwable failure) {
        return sql(failure)
                .map(sql -> String.valueOf(sql.getSQLState()))
                .filter(state -> PERMANENT.contains(state) || state.startsWith("42S"))
                .isPresent();
    }

    /** The exception for a failed operation that had no effect. */
    public static StoreUnavailableException unavailable(String operation, Throwable failure) {
        return isPermanent(failure)
                ? StoreUnavailableException.permanent(operation, failure)
                : new StoreUnavailableException(operation, withoutCredentials(failure));
    }

    static OutcomeUnknownException unknown(String operation, Throwable failure) {
        return new OutcomeUnknownException(operation, withoutCredentials(failure));
    }

    /**
     * Removes credentials. Drivers show the address when they cannot connect; other failures are about rows and
     * statements.
     */
    private static Throwable withoutCredentials(Throwable failure) {
        return isAnswerLost(failure) ? Addresses.clean(failure) : failure;
    }
}

package io.feedkit.jdbc.internal.log;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Durations;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Postponement;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Writes tasks that are claimed or lent: each write updates one row, and names the lease or the loan. */
final class TaskWrites {

    private static final int LONGEST_REASON = 500;

    private final Database database;
    private final String checkpoint;
    private final String release;
    private final String finish;
    private final String fail;
    private final String postpone;
    private final String moveToDeadLetters;
    private final String returnLoan;

    TaskWrites(Database database) {
        this.database = database;
        // Expressions that read a column come before its assignment, because MySQL assigns from left to right.
        String outage = "%1$s = CASE WHEN after_id = :after OR :after LIKE '%% %%' THEN %1$s ELSE 0 END, ";
        String progress = outage.formatted("outages") + outage.formatted("outage_since")
                + "after_id = :after, attempts = 0, due_at = ${now} + :millis";
        checkpoint = leased(database, progress);
        release = leased(database, "state = 'WAITING', " + progress);
        fail = leased(
                database, "state = 'WAITING', attempts = attempts + 1, reason = :reason, due_at = ${now} + :millis");
        postpone = leased(
                database,
                "state = 'WAITING', attempts = 0,"
                        + " outage_since = CASE WHEN outages = 0 THEN ${now} ELSE outage_since END,"
                        + " outages = outages + 1, due_at = ${now} + :millis");
        String ended = "due_at = NULL, unsettled_at = NULL, catch_up_key = NULL, ended_at = ${now}";
        finish = leased(database, "state = 'FINISHED', forget_at = ${now} + :millis, " + ended);
        moveToDeadLetters = leased(database, "state = 'DEAD', attempts = :attempts, reason = :reason, " + ended);
        returnLoan = database.sql("UPDATE ${task} SET state = 'WAITING', due_at = ${now}" + held("LENT"));
    }

    private static String leased(Database database, String changes) {
        return database.sql("UPDATE ${task} SET " + changes + HELD);
    }

    /** The condition that the lease of the claim was not lost. */
    static final String HELD = held("LEASED");

    private static String held(String state) {
        return " WHERE id = :id AND lease = :lease AND state = '" + state + "' AND due_at > ${now}";
    }

    List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
        return write(
                "log.checkpoint",
                checkpoint,
                progress,
                Progress::claim,
                (batch, write) -> batch.bind("after", write.after()).bind("millis", Durations.bounded(leaseMillis)));
    }

    List<Boolean> release(List<Release> releases) {
        return write(
                "log.release",
                release,
                releases,
                Release::claim,
                (batch, write) ->
                        batch.bind("after", write.after()).bind("millis", Durations.bounded(write.delayMillis())));
    }

    List<Boolean> finish(List<Claim> claims, long retainMillis) {
        return write(
                "log.finish",
                finish,
                claims,
                Function.identity(),
                (batch, write) -> batch.bind("millis", Durations.bounded(retainMillis)));
    }

    List<Boolean> fail(List<Failure> failures) {
        return write(
                "log.fail",
                fail,
                failures,
                Failure::claim,
                (batch, write) -> batch.bind("reason", cut(write.reason()))
                        .bind("millis", Durations.bounded(write.delayMillis())));
    }

    List<Boolean> postpone(List<Postponement> postponements) {
        return write(
                "log.postpone",
                postpone,
                postponements,
                Postponement::claim,
                (batch, write) -> batch.bind("millis", Durations.bounded(write.delayMillis())));
    }

    boolean moveToDeadLetters(Claim claim, int attempts, String reason) {
        return write(
                        "log.moveToDeadLetters",
                        moveToDeadLetters,
                        List.of(claim),
                        Function.identity(),
                        (batch, write) -> batch.bind("reason", cut(reason)).bind("attempts", attempts))
                .get(0);
    }

    List<Boolean> returnLoans(List<Loan> loans) {
        return write("log.returnLoans", returnLoan, loans, Loan::taskId, Loan::token, (batch, loan) -> {});
    }

    /**
     * Escapes characters that a database refuses (NUL, half a surrogate pair), and cuts the reason to the column's
     * length.
     */
    private static String cut(String reason) {
        StringBuilder text = new StringBuilder();
        int next = 0;
        while (next < reason.length()) {
            int c = reason.codePointAt(next);
            boolean refused = c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
            String kept =
                    refused ? "\\u" + HexFormat.of().withUpperCase().toHexDigits((char) c) : Character.toString(c);
            if (text.length() + kept.length() > LONGEST_REASON) {
                break;
            }
            text.append(kept);
            next += Character.charCount(c);
        }
        return text.toString();
    }

    private <T> List<Boolean> write(
            String operation,
            String sql,
            List<T> writes,
            Function<T, Claim> claim,
            BiConsumer<PreparedBatch, T> binding) {
        return write(
                operation,
                sql,
                writes,
                write -> claim.apply(write).task().id(),
                write -> claim.apply(write).lease(),
                binding);
    }

    /** Runs the updates in the order of the rows' keys, so that batches do not deadlock. */
    private <T> List<Boolean> write(
            String operation,
            String sql,
            List<T> writes,
            Function<T, String> id,
            ToLongFunction<T> token,
            BiConsumer<PreparedBatch, T> binding) {
        Boolean[] answers = new Boolean[writes.size()];
        Arrays.fill(answers, false);
        List<Optional<Long>> keys =
                writes.stream().map(write -> TaskRow.key(id.apply(write))).toList();
        List<Integer> own = IntStream.range(0, writes.size())
                .filter(i -> keys.get(i).isPresent())
                .boxed()
                .sorted(Comparator.comparing(i -> keys.get(i).orElseThrow()))
                .toList();
        if (own.isEmpty()) {
            return List.of(answers);
        }
        int[] changed = run(operation, sql, own, (batch, i) -> {
            T write = writes.get(i);
            batch.bind("id", keys.get(i).orElseThrow()).bind("lease", token.applyAsLong(write));
            binding.accept(batch, write);
        });
        for (int i = 0; i < changed.length; i++) {
            answers[own.get(i)] = changed[i] == 1;
        }
        return List.of(answers);
    }

    /**
     * One update is a statement of its own. Several updates are one transaction, so that a retry repeats all of them.
     */
    private int[] run(String operation, String sql, List<Integer> places, BiConsumer<PreparedBatch, Integer> binding) {
        return places.size() == 1
                ? database.statement(operation, handle -> Batches.run(database, handle, sql, places, binding))
                : database.transaction(operation, handle -> Batches.run(database, handle, sql, places, binding));
    }
}

package io.feedkit.cassandra.internal;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.feedkit.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Sends statements on the host's session. Each statement has its own consistency, time-out and idempotence, so the
 * session's profile does not matter. Thread-safe.
 */
public final class Calls {

    /** How many statements of a call wait for answers at the same time. */
    private static final int WINDOW = 128;

    /** A page has room for all parts of a copy. */
    private static final int PAGE_ROWS = 128;

    private final CqlSession session;
    private final Duration timeout;

    /** Limits each statement. */
    public Calls(CqlSession session, Duration timeout) {
        this.session = session;
        this.timeout = timeout;
    }

    CqlSession session() {
        return session;
    }

    private SimpleStatement configured(SimpleStatement statement) {
        return statement
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                .setSerialConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL)
                .setIdempotent(true)
                .setPageSize(PAGE_ROWS)
                .setTimeout(timeout);
    }

    /** Prepares a statement. Bound statements have its settings. */
    CompletionStage<PreparedStatement> prepare(String statement) {
        return session.prepareAsync(configured(SimpleStatement.newInstance(statement)));
    }

    /** Runs one statement. */
    public List<Row> run(String operation, String statement, Object... values) {
        SimpleStatement simple = configured(SimpleStatement.newInstance(statement, values));
        return all(operation, List.of(simple)).get(0);
    }

    /**
     * Runs statements side by side, in any order. After a failure no further ones are sent.
     *
     * @return the rows of each
     */
    public List<List<Row>> all(String operation, List<? extends Statement<?>> statements) {
        List<List<Row>> answers = new ArrayList<>(statements.size());
        Queue<CompletionStage<List<Row>>> sent = new ArrayDeque<>();
        for (Statement<?> statement : statements) {
            if (sent.size() == WINDOW) {
                answers.add(await(operation, sent.remove()));
            }
            sent.add(send(operation, statement));
        }
        for (CompletionStage<List<Row>> rest : sent) {
            answers.add(await(operation, rest));
        }
        return answers;
    }

    private CompletionStage<List<Row>> send(String operation, Statement<?> statement) {
        try {
            return session.executeAsync(statement).thenCompose(page -> rows(page, new ArrayList<>()));
        } catch (RuntimeException e) {
            throw CassandraFailures.of(operation, e);
        }
    }

    private static CompletionStage<List<Row>> rows(AsyncResultSet page, List<Row> before) {
        page.currentPage().forEach(before::add);
        return page.hasMorePages()
                ? page.fetchNextPage().thenCompose(next -> rows(next, before))
                : CompletableFuture.completedFuture(before);
    }

    /** Waits for an answer, longer than the driver does for one page. */
    <T> T await(String operation, CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(2 * timeout.toMillis(), MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException(operation, e);
        } catch (TimeoutException e) {
            throw new StoreUnavailableException(operation, e);
        } catch (ExecutionException e) {
            throw CassandraFailures.of(operation, e.getCause() == null ? e : e.getCause());
        }
    }
}

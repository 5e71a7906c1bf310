package io.feedkit.jdbc.internal.outbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * The outboxes in a host's transaction. Writes, and the reads that policies do, run in the transaction. Everything else
 * reads committed posts.
 */
final class JoinedOutbox implements Outbox {

    private static final String SAVEPOINT = "feedkit_outbox";

    private final Outbox committed;
    private final Database database;
    private final PostTable postTable;
    private final Connection connection;
    private final PulledRegister pulled;
    private final FanoutLog log;

    JoinedOutbox(
            Outbox committed,
            Database database,
            PostTable postTable,
            Connection connection,
            PulledRegister pulled,
            FanoutLog log) {
        this.committed = committed;
        this.database = database;
        this.postTable = postTable;
        this.connection = connection;
        this.pulled = pulled;
        this.log = log;
    }

    @Override
    public List<Appended> append(List<Publication> publications) {
        return write("outbox.append", handle -> postTable.append(handle, publications));
    }

    @Override
    public List<Boolean> delete(List<PostKey> keys) {
        return write("outbox.delete", handle -> postTable.delete(handle, keys));
    }

    private <T> T write(String operation, Function<Handle, T> work) {
        return database.joined(
                operation,
                connection,
                database.dialect() == Dialect.POSTGRESQL ? work : handle -> allOrNothing(handle, work));
    }

    /** Undoes a failed write, so that a host that continues does not commit a post without its task. */
    private static <T> T allOrNothing(Handle handle, Function<Handle, T> work) {
        handle.savepoint(SAVEPOINT);
        T answer;
        try {
            answer = work.apply(handle);
        } catch (RuntimeException e) {
            try {
                handle.rollbackToSavepoint(SAVEPOINT);
            } catch (RuntimeException goneWithTheTransaction) {
                e.addSuppressed(goneWithTheTransaction);
            }
            throw e;
        }
        handle.releaseSavepoint(SAVEPOINT);
        return answer;
    }

    @Override
    public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        return committed.newest(authors, range, each);
    }

    @Override
    public List<Post> page(PageQuery query) {
        return committed.page(query);
    }

    @Override
    public Set<PostKey> existing(Collection<PostKey> keys) {
        return committed.existing(keys);
    }

    @Override
    public Map<String, Long> counts(Collection<String> authors) {
        return committed.counts(authors);
    }

    @Override
    public List<Integer> count(List<CountQuery> queries) {
        return committed.count(queries);
    }

    @Override
    public Map<String, Long> lastAppended(Collection<String> authors) {
        return committed.lastAppended(authors);
    }

    @Override
    public long settledMark() {
        return committed.settledMark();
    }

    @Override
    public PulledRegister pulled() {
        return pulled;
    }

    @Override
    public FanoutLog fanout() {
        return log;
    }
}

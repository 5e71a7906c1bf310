package io.feedkit.jdbc.internal.outbox;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.OutboxWriter;
import java.sql.Connection;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/** Writes to the outboxes in a transaction of the host's. */
record JoinedOutbox(Database database, PostTable postTable, Connection connection) implements OutboxWriter {

    private static final String SAVEPOINT = "feedkit_outbox";

    @Override
    public List<Appended> append(List<Publication> publications) {
        return write("outbox.append", handle -> postTable.append(handle, publications));
    }

    @Override
    public List<Boolean> delete(List<PostKey> keys) {
        return write("outbox.delete", handle -> postTable.delete(handle, keys));
    }

    /** Deletes posts; the given ones as if their rows had not been archived. */
    List<Boolean> delete(List<PostKey> keys, Collection<Post> archived) {
        return write("outbox.delete", handle -> postTable.delete(handle, keys, archived));
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
            } catch (RuntimeException rollbackFailure) {
                e.addSuppressed(rollbackFailure);
            }
            throw e;
        }
        handle.releaseSavepoint(SAVEPOINT);
        return answer;
    }
}

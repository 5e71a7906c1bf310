package io.feedkit.jdbc;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.OutboxWriter;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.forwarding.ForwardingTransactionalOutbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The outbox of a host with its own table of posts: it inserts rows, and publishes in the same transaction.
 */
record HostedOutbox(TransactionalOutbox delegate, HostTable table) implements ForwardingTransactionalOutbox {

    @Override
    public List<Appended> append(List<Publication> publications) {
        try (Connection connection = table.database().dataSource().getConnection()) {
            connection.setAutoCommit(false);
            List<Appended> answers = joining(JdbcTransaction.of(connection)).append(publications);
            connection.commit();
            return answers;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public List<Appended> appendImported(List<Post> posts, FanoutMode mode) {
        try (Connection connection = table.database().dataSource().getConnection()) {
            table.insert(connection, posts);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return delegate.appendImported(posts, mode);
    }

    @Override
    public Optional<EventRecording> recordingEvents() {
        return delegate.recordingEvents()
                .map(recording -> new EventRecording(
                        new HostedOutbox((TransactionalOutbox) recording.outbox(), table), recording.log()));
    }

    @Override
    public OutboxWriter joining(PublishTransaction transaction) {
        OutboxWriter joined = delegate.joining(transaction);
        Connection connection = ((JdbcTransaction) transaction).connection();
        return new OutboxWriter() {
            @Override
            public List<Appended> append(List<Publication> publications) {
                table.insert(
                        connection, publications.stream().map(Publication::post).toList());
                return joined.append(publications);
            }

            @Override
            public List<Boolean> delete(List<PostKey> keys) {
                return joined.delete(keys);
            }
        };
    }
}

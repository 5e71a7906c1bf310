package io.feedkit.jdbc;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PublishTransaction;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.TransactionalOutbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The outbox of a host with its own table of posts: it inserts rows, and publishes in the same transaction.
 */
record HostedOutbox(TransactionalOutbox outbox, HostTable table) implements TransactionalOutbox {

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
    public Outbox joining(PublishTransaction transaction) {
        return new Joined(outbox.joining(transaction), table, transaction);
    }

    @Override
    public List<Boolean> delete(List<PostKey> keys) {
        return outbox.delete(keys);
    }

    @Override
    public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        return outbox.newest(authors, range, each);
    }

    @Override
    public List<Post> page(PageQuery query) {
        return outbox.page(query);
    }

    @Override
    public Set<PostKey> existing(Collection<PostKey> keys) {
        return outbox.existing(keys);
    }

    @Override
    public Map<String, Long> counts(Collection<String> authors) {
        return outbox.counts(authors);
    }

    @Override
    public List<Integer> count(List<CountQuery> queries) {
        return outbox.count(queries);
    }

    @Override
    public Map<String, Long> lastAppended(Collection<String> authors) {
        return outbox.lastAppended(authors);
    }

    @Override
    public long settledMark() {
        return outbox.settledMark();
    }

    @Override
    public PulledRegister pulled() {
        return outbox.pulled();
    }

    @Override
    public FanoutLog fanout() {
        return outbox.fanout();
    }

    private record Joined(Outbox outbox, HostTable table, PublishTransaction transaction) implements Outbox {

        @Override
        public List<Appended> append(List<Publication> publications) {
            table.insert(
                    ((JdbcTransaction) transaction).connection(),
                    publications.stream().map(Publication::post).toList());
            return outbox.append(publications);
        }

        @Override
        public List<Boolean> delete(List<PostKey> keys) {
            return outbox.delete(keys);
        }

        @Override
        public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
            return outbox.newest(authors, range, each);
        }

        @Override
        public List<Post> page(PageQuery query) {
            return outbox.page(query);
        }

        @Override
        public Set<PostKey> existing(Collection<PostKey> keys) {
            return outbox.existing(keys);
        }

        @Override
        public Map<String, Long> counts(Collection<String> authors) {
            return outbox.counts(authors);
        }

        @Override
        public List<Integer> count(List<CountQuery> queries) {
            return outbox.count(queries);
        }

        @Override
        public Map<String, Long> lastAppended(Collection<String> authors) {
            return outbox.lastAppended(authors);
        }

        @Override
        public long settledMark() {
            return outbox.settledMark();
        }

        @Override
        public PulledRegister pulled() {
            return outbox.pulled();
        }

        @Override
        public FanoutLog fanout() {
            return outbox.fanout();
        }
    }
}

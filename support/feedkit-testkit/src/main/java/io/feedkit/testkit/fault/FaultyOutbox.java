package io.feedkit.testkit.fault;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Outboxes over a connection. */
class FaultyOutbox implements Outbox {

    private final Outbox delegate;
    private final Connection connection;

    FaultyOutbox(Outbox delegate, Connection connection) {
        this.delegate = delegate;
        this.connection = connection;
    }

    @Override
    public List<Appended> append(List<Publication> publications) {
        return connection.write(
                "outbox.append", () -> delegate.append(publications), () -> delegate.append(Halves.of(publications)));
    }

    @Override
    public List<Boolean> delete(List<PostKey> keys) {
        return connection.write("outbox.delete", () -> delegate.delete(keys), () -> delegate.delete(Halves.of(keys)));
    }

    @Override
    public List<List<Post>> newest(List<String> authors, PositionRange range, int each) {
        return connection.read("outbox.newest", () -> delegate.newest(authors, range, each));
    }

    @Override
    public Supplier<List<List<Post>>> newestLater(List<String> authors, PositionRange range, int each) {
        Supplier<List<List<Post>>> asked = delegate.newestLater(authors, range, each);
        return () -> connection.read("outbox.newest", asked);
    }

    @Override
    public List<Post> page(PageQuery query) {
        return connection.read("outbox.page", () -> delegate.page(query));
    }

    @Override
    public Set<PostKey> existing(Collection<PostKey> keys) {
        return connection.read("outbox.existing", () -> delegate.existing(keys));
    }

    @Override
    public Map<String, Long> counts(Collection<String> authors) {
        return connection.read("outbox.counts", () -> delegate.counts(authors));
    }

    @Override
    public Map<String, Long> lastAppended(Collection<String> authors) {
        return connection.read("outbox.lastAppended", () -> delegate.lastAppended(authors));
    }

    @Override
    public long settledMark() {
        return connection.read("outbox.settledMark", delegate::settledMark);
    }

    @Override
    public PulledRegister pulled() {
        return new FaultyPulledRegister(delegate.pulled(), connection);
    }

    @Override
    public FanoutLog fanout() {
        return new FaultyFanoutLog(delegate.fanout(), connection);
    }
}

package io.feedkit.testkit.fault;

import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Position;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Inboxes over a connection. */
record FaultyInbox(Inbox delegate, Connection connection) implements Inbox {

    @Override
    public List<List<Outcome>> deliver(List<Delivery> deliveries) {
        return connection.write(
                "inbox.deliver",
                () -> delegate.deliver(deliveries),
                () -> delegate.deliver(Halves.ofDeliveries(deliveries)));
    }

    @Override
    public List<Slice> slice(List<SliceQuery> queries) {
        return connection.read("inbox.slice", () -> delegate.slice(queries));
    }

    @Override
    public Opening open(String reader, long leaseMillis, boolean replace) {
        return connection.write("inbox.open", () -> delegate.open(reader, leaseMillis, replace));
    }

    @Override
    public boolean merge(String reader, long generation, List<Post> posts, Position floor) {
        return connection.write("inbox.merge", () -> delegate.merge(reader, generation, posts, floor));
    }

    @Override
    public boolean complete(String reader, long generation, long mark, long followees) {
        return connection.write("inbox.complete", () -> delegate.complete(reader, generation, mark, followees));
    }

    @Override
    public void retract(List<Retraction> retractions) {
        connection.write(
                "inbox.retract",
                () -> {
                    delegate.retract(retractions);
                    return true;
                },
                () -> delegate.retract(Halves.ofRetractions(retractions)));
    }

    @Override
    public boolean purge(String reader, Collection<String> authors, long token) {
        return connection.write("inbox.purge", () -> delegate.purge(reader, authors, token));
    }

    @Override
    public long beginFollow(String reader, Collection<String> authors) {
        return connection.write("inbox.beginFollow", () -> delegate.beginFollow(reader, authors));
    }

    @Override
    public Set<String> endFollow(String reader, Collection<String> authors, long token, long toggled) {
        return connection.write("inbox.endFollow", () -> delegate.endFollow(reader, authors, token, toggled));
    }

    @Override
    public void drop(List<String> readers) {
        connection.write(
                "inbox.drop",
                () -> {
                    delegate.drop(readers);
                    return true;
                },
                () -> delegate.drop(Halves.of(readers)));
    }

    /** Not an effect, and no read that anybody waits for. */
    @Override
    public long trustedSince() {
        return delegate.trustedSince();
    }
}

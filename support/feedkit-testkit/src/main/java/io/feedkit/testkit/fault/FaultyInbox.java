package io.feedkit.testkit.fault;

import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Position;
import java.util.List;

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
    public boolean complete(String reader, long generation, long mark) {
        return connection.write("inbox.complete", () -> delegate.complete(reader, generation, mark));
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
    public boolean purge(String reader, String author, long epoch) {
        return connection.write("inbox.purge", () -> delegate.purge(reader, author, epoch));
    }

    @Override
    public long beginFollow(String reader, String author) {
        return connection.write("inbox.beginFollow", () -> delegate.beginFollow(reader, author));
    }

    @Override
    public boolean endFollow(String reader, String author, long token) {
        return connection.write("inbox.endFollow", () -> delegate.endFollow(reader, author, token));
    }

    @Override
    public long recordUnfollow(String reader, String author) {
        return connection.write("inbox.recordUnfollow", () -> delegate.recordUnfollow(reader, author));
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

package io.feedkit.testkit.fault;

import io.feedkit.spi.Position;
import io.feedkit.spi.UnreadCounter;
import java.util.Collection;
import java.util.List;

/** Unread marks over a connection. */
record FaultyUnreadCounter(UnreadCounter delegate, Connection connection) implements UnreadCounter {

    @Override
    public void markSeen(List<Seen> seen) {
        connection.write(
                "unread.markSeen",
                () -> {
                    delegate.markSeen(seen);
                    return true;
                },
                () -> delegate.markSeen(Halves.of(seen)));
    }

    @Override
    public List<Position> lastSeen(List<String> readers) {
        return connection.read("unread.lastSeen", () -> delegate.lastSeen(readers));
    }

    @Override
    public void forget(Collection<String> readers) {
        connection.write(
                "unread.forget",
                () -> {
                    delegate.forget(readers);
                    return true;
                },
                () -> delegate.forget(Halves.of(readers)));
    }
}

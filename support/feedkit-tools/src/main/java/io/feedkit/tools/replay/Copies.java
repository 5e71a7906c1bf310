package io.feedkit.tools.replay;

import io.feedkit.memory.InMemoryInboxCopies;
import io.feedkit.spi.InboxCopies;
import io.feedkit.tools.servers.CassandraKeyspace;
import io.feedkit.tools.servers.CassandraUrl;
import io.feedkit.tools.servers.ShownUrl;
import java.time.Clock;
import java.util.Optional;

/** Opens the store of copies of inboxes that {@code --copies} names. */
final class Copies {

    /** For {@code --copies}: inboxes are not copied. */
    static final String NONE = "none";

    private static final String KEYSPACE = "feedkit_replay_";

    private Copies() {}

    /** A store of copies for one run, if there is one. Closing it deletes the run's data. */
    record OpenCopies(Optional<InboxCopies> copies, Runnable onClose) implements AutoCloseable {
        @Override
        public void close() {
            onClose.run();
        }
    }

    /**
     * Opens an empty store of copies.
     *
     * @param clock the clock by which copies in memory expire
     * @throws IllegalArgumentException if there is no such store
     */
    static OpenCopies open(String url, Clock clock) {
        if (url.equals(NONE)) {
            return new OpenCopies(Optional.empty(), () -> {});
        }
        if (url.equals("memory")) {
            return new OpenCopies(Optional.of(InMemoryInboxCopies.create(clock)), () -> {});
        }
        if (CassandraUrl.is(url)) {
            CassandraKeyspace keyspace = CassandraKeyspace.create("copies", url, KEYSPACE);
            return new OpenCopies(Optional.of(keyspace.copies()), keyspace::close);
        }
        throw new IllegalArgumentException(
                "copies must be none, memory or cassandra://HOST:PORT/DATACENTER, but is " + ShownUrl.of(url));
    }
}

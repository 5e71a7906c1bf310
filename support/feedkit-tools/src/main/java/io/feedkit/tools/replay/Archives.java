package io.feedkit.tools.replay;

import io.feedkit.FeedKitException;
import io.feedkit.jdbc.JdbcPostArchive;
import io.feedkit.memory.InMemoryPostArchive;
import io.feedkit.spi.PostArchive;
import io.feedkit.tools.servers.RunTables;
import io.feedkit.tools.servers.ShownUrl;
import java.util.Optional;

/** Opens the archive that {@code --archive} names. */
final class Archives {

    /** For {@code --archive}: all posts stay in the store. */
    static final String NONE = "none";

    private Archives() {}

    /** An archive for one run, if there is one. Closing it deletes the run's data. */
    record OpenArchive(Optional<PostArchive> archive, Runnable onClose) implements AutoCloseable {
        @Override
        public void close() {
            onClose.run();
        }
    }

    /**
     * Opens an empty archive.
     *
     * @throws IllegalArgumentException if there is no such archive
     */
    static OpenArchive open(String url, int threads) {
        if (url.equals(NONE)) {
            return new OpenArchive(Optional.empty(), () -> {});
        }
        if (url.equals("memory")) {
            return new OpenArchive(Optional.of(InMemoryPostArchive.create()), () -> {});
        }
        if (url.startsWith("jdbc:")) {
            return openSql(url, threads);
        }
        throw new IllegalArgumentException("archive must be none, memory or a JDBC URL, but is " + ShownUrl.of(url));
    }

    private static OpenArchive openSql(String url, int threads) {
        RunTables tables = RunTables.createArchive(url, "replay", threads + 1);
        try {
            return new OpenArchive(
                    Optional.of(JdbcPostArchive.of(tables.dataSource(), "", tables.prefix())), tables::close);
        } catch (FeedKitException e) {
            tables.close();
            throw new IllegalArgumentException("archive cannot be used: " + e.getMessage(), e);
        }
    }
}

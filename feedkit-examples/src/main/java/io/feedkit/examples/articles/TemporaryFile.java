package io.feedkit.examples.articles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** An H2 database in a temporary directory. Closing deletes it. */
record TemporaryFile(Path directory) implements AutoCloseable {

    static TemporaryFile create() {
        try {
            return new TemporaryFile(Files.createTempDirectory("feedkit-articles"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The URL. Every commit is written immediately, so it survives a kill of the program. */
    String url() {
        return "jdbc:h2:file:" + directory.resolve("magazine") + ";WRITE_DELAY=0";
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> all = files.toList();
            for (Path file : all) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

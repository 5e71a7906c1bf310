package io.feedkit.redis.survival;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** A server's append-only file, of which the machine keeps for certain what was flushed. Not thread-safe. */
final class AppendOnlyFile {

    private final Path file;
    private long flushed;

    private AppendOnlyFile(Path file) {
        this.file = file;
    }

    /** The file that a running server writes to. */
    static AppendOnlyFile of(Admin admin) {
        Path directory = Path.of(admin.commands().configGet("dir").get("dir"));
        try (Stream<Path> all = Files.walk(directory)) {
            return new AppendOnlyFile(all.filter(each -> each.toString().endsWith(".aof"))
                    .findFirst()
                    .orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What has been written until now is kept. */
    void flush() {
        flushed = size();
    }

    /** The machine has failed: nothing is left of what was written since the last flush; how many bytes that costs. */
    long cut() {
        return cutTo(flushed);
    }

    /** The same, but a part of what was written since is left, up to any byte. */
    long cutAnywhere(RandomGenerator random) {
        return cutTo(random.nextLong(flushed, size() + 1));
    }

    private long cutTo(long kept) {
        long lost = size() - kept;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(kept);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lost;
    }

    private long size() {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

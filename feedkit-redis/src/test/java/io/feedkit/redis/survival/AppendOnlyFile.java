package io.feedkit.redis.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.testservers.RedisProgram;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** A server's append-only file, of which the machine certainly keeps what was flushed. Not thread-safe. */
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

    /** The machine keeps what has been written until now. */
    void flush() {
        flushed = size();
    }

    /** The machine fails: all writes since the last flush are lost. Returns the number of lost bytes. */
    long cut() {
        return cutTo(flushed);
    }

    /** The same, but a part of the writes since the last flush is left, up to any byte. */
    long cutAnywhere(RandomGenerator random) {
        return cutTo(random.nextLong(flushed, size() + 1));
    }

    /**
     * Removes what is left of a transaction that was cut, as {@code redis-check-aof --fix} does, which is the server
     * under another name. A server that starts without that repair ignores the left commands of the transaction, but
     * leaves them in the file, and executes them at its next start.
     */
    void repair() {
        try {
            Path checker = file.resolveSibling("redis-check-aof");
            Files.deleteIfExists(checker);
            Files.createSymbolicLink(checker, RedisProgram.embedded().path());
            Process process = new ProcessBuilder(checker.toString(), "--fix", file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (OutputStream answers = process.getOutputStream()) {
                answers.write("y\n".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
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

package io.feedkit.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A small process that outlives this JVM, however the JVM ends. Then it kills the processes in a server's data
 * directory, and removes the System V shared memory that a killed PostgreSQL leaves (line 7 of its pid file has key and
 * id). At last it deletes the server's home.
 */
final class Guard implements AutoCloseable {

    private static final String SCRIPT = """
            cd /
            trap '' HUP INT TERM
            cat
            for p in /proc/[0-9]*; do
                [ "$p/cwd" -ef "$1/data" ] && kill -9 "${p#/proc/}"
            done
            set -- "$1" $(sed -n 7p "$1/data/postmaster.pid")
            [ -n "$3" ] && ipcrm --shmem-id "$3"
            rm -rf "$1"
            """;
    private static final int LIMIT_SECONDS = 60;

    private final Process process;

    private Guard(Process process) {
        this.process = process;
    }

    static Guard of(Path home) {
        try {
            return new Guard(new ProcessBuilder("sh", "-c", SCRIPT, "feedkit-guard", home.toString())
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot guard " + home, e);
        }
    }

    /** The end of its input, like the end of this JVM, makes it act. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a guard did not end within " + LIMIT_SECONDS + " s");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a guard was ending", e);
        } finally {
            process.destroyForcibly();
        }
    }
}

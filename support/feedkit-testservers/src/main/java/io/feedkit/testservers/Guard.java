package io.feedkit.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A small process that outlives this JVM however it ends, and then kills what works in a server's data directory, and deletes the server's home. */
final class Guard implements AutoCloseable {

    private static final String SCRIPT = "cd /; trap '' HUP INT TERM; cat > /dev/null; "
            + "for p in /proc/[0-9]*; do [ \"$(readlink \"$p/cwd\")\" = \"$1/data\" ] && kill -9 \"${p#/proc/}\"; done; "
            + "rm -rf \"$1\"";

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

    /** The end of its input tells it to act, as the end of this JVM does. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            process.waitFor(10, TimeUnit.SECONDS);
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

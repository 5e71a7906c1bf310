package io.feedkit.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Starts programs that refuse to run as root, such as PostgreSQL: in a user namespace where root is mapped to the user
 * nobody, or, if the kernel forbids that, as the user nobody. Both keep the process id of the command.
 */
final class Unprivileged {

    private static final int ROOT = 0;
    private static final int NOBODY = 65_534;
    private static final List<String> NAMESPACE = List.of("unshare", "--user");
    private static final List<String> USER =
            List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");

    private Unprivileged() {}

    /** The words to put before a command that works in a directory; empty if this user is not root. */
    static List<String> prefix(Path directory) {
        try {
            if (!isRoot()) {
                return List.of();
            }
            if (succeeds(NAMESPACE)) {
                return NAMESPACE;
            }
            Files.setAttribute(directory, "unix:uid", NOBODY);
            return USER;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static boolean isRoot() {
        return uid() == ROOT;
    }

    /** The id of this user, who need not have a name. */
    static int uid() {
        return owner(Path.of("/proc/self"));
    }

    static int owner(Path file) {
        try {
            return (Integer) Files.getAttribute(file, "unix:uid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean succeeds(List<String> prefix) throws IOException {
        Process process = new ProcessBuilder(prefix.get(0), prefix.get(1), "true")
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD)
                .start();
        try {
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while trying " + prefix, e);
        } finally {
            process.destroyForcibly();
        }
    }
}

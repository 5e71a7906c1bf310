package io.feedkit.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A server's processes and its log, in a temporary directory. Not thread-safe. */
final class ServerProcess {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int TAIL_LINES = 40;
    private static final int POLL_MILLIS = 20;

    private final String name;
    private final Path home;
    private final Path log;
    private final Guard guard;
    private Optional<Process> process = Optional.empty();

    ServerProcess(String name) {
        this.name = name;
        home = Directories.temporary(name);
        log = home.resolve("log");
        guard = Guard.of(home);
    }

    Path home() {
        return home;
    }

    /** The server's data, which is also the working directory of each of its processes. */
    Path data() {
        return home.resolve("data");
    }

    void run(List<String> command) {
        Process started = start(command);
        try {
            if (!started.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw failure(command.get(0) + " did not end within " + LIMIT);
            }
            if (started.exitValue() != 0) {
                throw failure(command.get(0) + " ended with exit code " + started.exitValue());
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            started.destroyForcibly();
        }
    }

    void launch(List<String> command, Probe probe) {
        Process started = start(command);
        process = Optional.of(started);
        long deadline = System.nanoTime() + LIMIT.toNanos();
        try {
            while (true) {
                if (started.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw failure("ended at its start with exit code " + started.exitValue());
                }
                try {
                    probe.ask();
                    return;
                } catch (SQLException | IOException e) {
                    if (System.nanoTime() > deadline) {
                        throw failure("did not answer within " + LIMIT + ": " + e.getMessage());
                    }
                }
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    void sql(String url, String statement) {
        try {
            execute(url, statement);
        } catch (SQLException e) {
            IllegalStateException failure = failure("failed to do " + statement);
            failure.initCause(e);
            throw failure;
        }
    }

    /** Empties the data directory. */
    void clear() {
        run(List.of("find", data().toString(), "-mindepth", "1", "-delete"));
    }

    boolean isRunning() {
        return process.map(Process::isAlive).orElse(false);
    }

    /** Kills the server's own process first, because it would react to the end of its children. */
    void kill() {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        try {
            if (process.isPresent()) {
                process.get().destroyForcibly();
                process.get().waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            for (List<ProcessHandle> rest = rest(); isRunning() || !rest.isEmpty(); rest = rest()) {
                rest.forEach(ProcessHandle::destroyForcibly);
                if (System.nanoTime() > deadline) {
                    throw failure("still runs " + LIMIT + " after SIGKILL: " + rest);
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Stops all processes, twice, because a process may have been started before its parent was stopped. */
    void freeze() {
        signal("STOP");
        signal("STOP");
    }

    void signal(String signal) {
        List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
        rest().forEach(each -> command.add(Long.toString(each.pid())));
        if (command.size() > 2) {
            try {
                // The exit code is ignored, because a process may have ended meanwhile.
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(Redirect.DISCARD)
                        .start()
                        .waitFor();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
    }

    void delete() {
        guard.close();
        if (Files.exists(home)) {
            throw new IllegalStateException("cannot delete " + home);
        }
    }

    String tail() {
        if (!Files.exists(log)) {
            return "";
        }
        try {
            List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process start(List<String> command) {
        try {
            return new ProcessBuilder(command)
                    .directory(home.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(name + ": cannot start " + command, e);
        }
    }

    /** Sends a request to a server, and fails unless it answers. */
    interface Probe {
        void ask() throws SQLException, IOException;
    }

    static void execute(String url, String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    /**
     * Finds the remaining processes by their working directory, because orphans have no other link to their server. A
     * dying process also gives it up last.
     */
    private List<ProcessHandle> rest() {
        List<ProcessHandle> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path each : all) {
                if (worksInData(each)) {
                    ProcessHandle.of(Long.parseLong(each.getFileName().toString()))
                            .ifPresent(found::add);
                }
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean worksInData(Path process) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd")).equals(data());
        } catch (IOException e) {
            return false; // of another user, or ended
        }
    }

    private IllegalStateException failure(String what) {
        return new IllegalStateException(name + " " + what + "; its log in " + home + " ends with:\n" + tail());
    }

    private IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for " + name, e);
    }
}

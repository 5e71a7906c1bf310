package io.feedkit.testservers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A separate JVM with this JVM's class path, for tests that kill it. It ends with {@link #close()}, or with this JVM
 * unless this JVM is killed. Thread-safe.
 *
 * <p>A daemon thread collects its output, errors included.
 */
public final class ChildProcess implements AutoCloseable {

    private static final Duration KILL_LIMIT = Duration.ofSeconds(30);
    private static final Duration OUTPUT_LIMIT = Duration.ofSeconds(5);
    private static final int TAIL_LINES = 40;

    private final String name;
    private final Process process;
    private final Thread hook;
    private final List<String> lines = new ArrayList<>();
    private int awaited;
    private boolean ended;

    private ChildProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        hook = new Thread(process::destroyForcibly, "feedkit-child-end");
    }

    /**
     * Starts a main class without JVM options.
     *
     * @param main the class
     * @param arguments its arguments
     * @return the process
     */
    public static ChildProcess start(Class<?> main, List<String> arguments) {
        return start(main, arguments, List.of());
    }

    /**
     * Starts a main class.
     *
     * @param main the class
     * @param arguments its arguments
     * @param jvmOptions options of the JVM, such as {@code -Xmx64m}
     * @return the process
     */
    public static ChildProcess start(Class<?> main, List<String> arguments, List<String> jvmOptions) {
        List<String> command = new ArrayList<>(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return start(main.getSimpleName(), command);
    }

    /**
     * Starts the main class of a module, on a module path instead of this JVM's class path.
     *
     * @param main the module and the class, {@code module/class}
     * @param modulePath the path of the modules
     * @return the process
     */
    public static ChildProcess startModule(String main, String modulePath) {
        return start(main, List.of("--module-path", modulePath, "--module", main));
    }

    private static ChildProcess start(String name, List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            ChildProcess child = new ChildProcess(name, process);
            Runtime.getRuntime().addShutdownHook(child.hook);
            Thread reader = new Thread(child::collect, "feedkit-child-output");
            reader.setDaemon(true);
            reader.start();
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    /**
     * Waits for a line that contains a text, after the line that the last call found. Skipped lines are not found
     * again.
     *
     * @param text the text that the line contains
     * @param limit how long to wait
     * @return the line
     * @throws IllegalStateException if there is none in time, or the process ends without one; the message shows the
     *     tail of its output
     */
    public synchronized String awaitLine(String text, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            while (true) {
                while (awaited < lines.size()) {
                    String line = lines.get(awaited++);
                    if (line.contains(text)) {
                        return line;
                    }
                }
                long left = deadline - System.nanoTime();
                if (ended || left <= 0) {
                    throw failure((ended ? "ended" : "ran for " + limit) + " without printing \"" + text + "\"");
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Returns the output so far.
     *
     * @return the lines
     */
    public synchronized List<String> output() {
        return List.copyOf(lines);
    }

    /**
     * Sends a line to its standard input.
     *
     * @param line the line, without an end of line
     * @throws UncheckedIOException if it has ended
     */
    public void send(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " does not read", e);
        }
    }

    /**
     * Returns the operating system's id of the process.
     *
     * @return the process id
     */
    public long pid() {
        return process.pid();
    }

    /**
     * Returns whether the process is running.
     *
     * @return true if it is
     */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Kills the process with SIGKILL, and returns when it has ended. No effect if it has already ended.
     *
     * @throws IllegalStateException if it still runs after half a minute
     */
    public void kill9() {
        process.destroyForcibly();
        awaitExit(KILL_LIMIT);
    }

    /**
     * Waits until the process ends by itself.
     *
     * @param limit how long to wait
     * @return its exit code, 137 after SIGKILL
     * @throws IllegalStateException if it does not end in time; the message shows the tail of its output
     */
    public int awaitExit(Duration limit) {
        try {
            if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw failure("still runs after " + limit);
            }
            awaitOutput();
            return process.exitValue();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Kills the process if it is running. A second call has no effect. */
    @Override
    public void close() {
        kill9();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the process has ended.
        }
    }

    /**
     * Waits for the last output, which may still be on its way. A process that it has started may keep its output open.
     */
    private synchronized void awaitOutput() throws InterruptedException {
        long deadline = System.nanoTime() + OUTPUT_LIMIT.toNanos();
        long left = OUTPUT_LIMIT.toNanos();
        while (!ended && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = deadline - System.nanoTime();
        }
    }

    private void collect() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                printed(line);
            }
        } catch (IOException e) {
            printed("(cannot read further output: " + e.getMessage() + ")");
        } finally {
            end();
        }
    }

    private synchronized void printed(String line) {
        lines.add(line);
        notifyAll();
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    private synchronized IllegalStateException failure(String what) {
        List<String> tail = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
        return new IllegalStateException(name + " " + what + "; its output ends with:\n" + String.join("\n", tail));
    }

    private IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for " + name, e);
    }
}

package io.feedkit.tools.brokers;

import io.feedkit.tools.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A part of the demonstration that runs as a separate process of this program. Thread-safe. */
final class PartProcess implements AutoCloseable {

    /** JVM options for several small processes that start at the same time. */
    private static final List<String> SMALL_AND_QUICK =
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    private final String name;
    private final Process process;
    private final Thread hook;
    private final BiConsumer<PartProcess, String> lines;
    private final CountDownLatch ready = new CountDownLatch(1);

    private PartProcess(String name, Process process, BiConsumer<PartProcess, String> lines) {
        this.name = name;
        this.process = process;
        this.lines = lines;
        this.hook = new Thread(process::destroyForcibly, "brokers-end-" + name);
    }

    /**
     * Starts a process.
     *
     * @param name the name in the output
     * @param place the options that all processes share
     * @param command the subcommand and its own options
     * @param lines receives every line that the process prints, on a separate thread
     */
    static PartProcess start(String name, Place place, List<String> command, BiConsumer<PartProcess, String> lines) {
        List<String> all = new ArrayList<>();
        all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        all.addAll(SMALL_AND_QUICK);
        all.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "brokers"));
        all.addAll(command);
        all.addAll(place.arguments());
        ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
        builder.environment().putAll(place.variables());
        try {
            PartProcess part = new PartProcess(name, builder.start(), lines);
            Runtime.getRuntime().addShutdownHook(part.hook);
            Thread reader = new Thread(part::read, "brokers-output-" + name);
            reader.setDaemon(true);
            reader.start();
            return part;
        } catch (IOException e) {
            throw new UncheckedIOException("the process of " + name + " cannot be started", e);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.accept(this, line);
                if (line.equals(Lines.READY)) {
                    ready.countDown();
                }
            }
        } catch (IOException e) {
            // The process was killed.
        }
    }

    String name() {
        return name;
    }

    long id() {
        return process.pid();
    }

    /** Waits until the process is ready. Returns whether it is. */
    boolean awaitReady(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            while (System.nanoTime() < deadline && process.isAlive()) {
                if (ready.await(100, TimeUnit.MILLISECONDS)) {
                    return true;
                }
            }
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the process with SIGKILL, so it cannot release its tasks. */
    void kill() {
        process.destroyForcibly();
    }

    /** Waits for the end of the process. Returns its exit code, or nothing if it does not end in time. */
    OptionalInt awaitExit(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)
                    ? OptionalInt.of(process.exitValue())
                    : OptionalInt.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }

    /** Asks the process to end, without waiting. */
    void askToEnd() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // The process has ended.
        }
    }

    /** Ends the process. */
    @Override
    public void close() {
        askToEnd();
        if (awaitExit(END_LIMIT).isEmpty()) {
            kill();
            awaitExit(END_LIMIT);
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This JVM is ending.
        }
    }
}

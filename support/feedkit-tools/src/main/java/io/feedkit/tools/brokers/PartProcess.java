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

/** One part of the fan-out as a process of its own: this program, started once more. Thread-safe. */
final class PartProcess implements AutoCloseable {

    /** Several JVMs start at once, and each does little. */
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
     * Starts one.
     *
     * @param name what people call it
     * @param place where the processes meet
     * @param command which part, and its own options
     * @param lines told of every line that it prints, on a thread of its own
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
            // It was killed.
        }
    }

    String name() {
        return name;
    }

    long id() {
        return process.pid();
    }

    /** Waits until it has begun; returns whether it has. */
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

    /** Kills it with SIGKILL: it cannot give anything back. */
    void kill() {
        process.destroyForcibly();
    }

    /** Waits until it ends by itself; returns its exit code, or none if it does not end in time. */
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

    /** Asks it to end, without waiting. */
    void askToEnd() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended.
        }
    }

    /** Ends it. */
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
            // This JVM ends.
        }
    }
}

package io.feedkit.tools.brokers;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** The lifetime of a process: until Ctrl-C, or until its parent process ends. */
final class Lifetime {

    /** The option that ends a process with its parent process. */
    static final String END_WITH_INPUT = "--end-with-input";

    private static final int LIMIT_SECONDS = 10;

    @Option(
            names = END_WITH_INPUT,
            hidden = true,
            description = "End at the end of the standard input, and so with the parent process.")
    private boolean endWithInput;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Starts to wait for the end. */
    void begin() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "brokers-end"));
        if (endWithInput) {
            Thread input = new Thread(this::readToTheEnd, "brokers-input");
            input.setDaemon(true);
            input.start();
        }
    }

    /** Waits for up to a second. Returns whether the process continues. */
    boolean goesOn() {
        try {
            return !asked.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    boolean isOver() {
        return asked.getCount() == 0;
    }

    /** Signals that everything is closed. */
    void end() {
        closed.countDown();
    }

    private void readToTheEnd() {
        try {
            while (System.in.read() >= 0) {
                // The input is ignored.
            }
        } catch (IOException e) {
            // Treated as the end of the input.
        }
        asked.countDown();
    }

    /** The JVM waits for its shutdown hooks, so the process can release its tasks first. */
    private void close() {
        asked.countDown();
        try {
            closed.await(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

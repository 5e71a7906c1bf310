package io.feedkit.tools.brokers;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** How long a process plays its part: until Ctrl-C, or until its parent ends. */
final class Lifetime {

    /** The option by which a process ends with the one that has started it. */
    static final String END_WITH_INPUT = "--end-with-input";

    private static final int LIMIT_SECONDS = 10;

    @Option(
            names = END_WITH_INPUT,
            hidden = true,
            description = "End with the standard input, so with the process that has started this one.")
    private boolean endWithInput;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Begins to listen for the end. */
    void begin() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "brokers-end"));
        if (endWithInput) {
            Thread input = new Thread(this::readToTheEnd, "brokers-input");
            input.setDaemon(true);
            input.start();
        }
    }

    /** Waits for up to a second; returns whether the part goes on. */
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

    /** Says that everything is closed. */
    void end() {
        closed.countDown();
    }

    private void readToTheEnd() {
        try {
            while (System.in.read() >= 0) {
                // What is written does not matter.
            }
        } catch (IOException e) {
            // As the end.
        }
        asked.countDown();
    }

    /** The JVM ends when its hooks have: the part may give its tasks back first. */
    private void close() {
        asked.countDown();
        try {
            closed.await(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

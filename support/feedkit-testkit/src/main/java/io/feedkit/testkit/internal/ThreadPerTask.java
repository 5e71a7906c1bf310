package io.feedkit.testkit.internal;

import java.util.concurrent.Executor;

/**
 * Runs each task in a daemon thread of its own. For tasks that block: on a machine with two processors, the common pool
 * of JDK 25 has one thread, so a second task would wait for the first.
 */
public final class ThreadPerTask implements Executor {

    @Override
    public void execute(Runnable task) {
        Thread thread = new Thread(task, "kit-task");
        thread.setDaemon(true);
        thread.start();
    }
}

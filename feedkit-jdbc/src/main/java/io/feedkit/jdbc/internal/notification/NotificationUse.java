package io.feedkit.jdbc.internal.notification;

import java.time.Duration;

/** What notifications are used for. */
public enum NotificationUse {

    /** Waking the workers of other processes. */
    TASKS(
            "notifications need",
            "feedkit-jdbc-listener",
            Duration.ofSeconds(10),
            "workers find other processes' tasks by polling"),

    /** The live bus. Each engine sends a message each second, so silence is soon suspicious. */
    BUS(
            "a PostgresLiveBus needs",
            "feedkit-jdbc-live-bus",
            Duration.ofSeconds(3),
            "live feeds find other processes' posts by polling");

    private final String needs;
    private final String thread;
    private final Duration silence;
    private final String meanwhile;

    NotificationUse(String needs, String thread, Duration silence, String meanwhile) {
        this.needs = needs;
        this.thread = thread;
        this.silence = silence;
        this.meanwhile = meanwhile;
    }

    /** The beginning of a sentence about what is needed. */
    String needs() {
        return needs;
    }

    /** The name of the listening thread. */
    public String thread() {
        return thread;
    }

    /**
     * The longest silence before the listening connection checks that the server still answers. A connection that only
     * listens does not detect when it is cut off.
     */
    Duration silence() {
        return silence;
    }

    /** What happens while the connection is lost. */
    String meanwhile() {
        return meanwhile;
    }
}

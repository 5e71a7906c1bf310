package io.feedkit.tools.brokers;

import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.QueueTraffic;
import java.time.Duration;
import java.util.Locale;

/** Formats figures for people. */
final class Figures {

    private static final double MILLIS = 1000;

    private Figures() {}

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / MILLIS);
    }

    static String of(Backlog backlog) {
        QueueTraffic queue = backlog.queue();
        return "backlog: tasks " + backlog.tasks() + ", lent " + backlog.lent() + ", oldest post waits "
                + seconds(backlog.age()) + "; queue: sent " + queue.lent() + ", lapsed " + queue.lapsed()
                + ", unconfirmed " + queue.unconfirmed() + (queue.blocked() ? ", BLOCKED" : "");
    }
}

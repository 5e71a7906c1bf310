package io.feedkit.tools.brokers;

import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.QueueTraffic;
import java.time.Duration;
import java.util.Locale;

/** Figures as people read them. */
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
        return "backlog: tasks " + backlog.tasks() + ", of them lent " + backlog.lent() + ", oldest post waits "
                + seconds(backlog.age()) + "; queue: sent " + queue.lent() + ", of them again " + queue.lapsed()
                + ", not confirmed " + queue.unconfirmed() + (queue.blocked() ? ", BLOCKED" : "");
    }
}

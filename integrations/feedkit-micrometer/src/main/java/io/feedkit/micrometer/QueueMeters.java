package io.feedkit.micrometer;

import io.feedkit.fanout.QueueTraffic;
import io.micrometer.core.instrument.Counter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The meters of the traffic with a fan-out queue. Thread-safe. */
final class QueueMeters {

    private static final Map<String, ToLongFunction<QueueTraffic>> EVENTS = new LinkedHashMap<>();

    static {
        EVENTS.put("lent", QueueTraffic::lent);
        EVENTS.put("lapsed", QueueTraffic::lapsed);
        EVENTS.put("undelivered", QueueTraffic::undelivered);
        EVENTS.put("unconfirmed", QueueTraffic::unconfirmed);
        EVENTS.put("taken", QueueTraffic::taken);
        EVENTS.put("refused", QueueTraffic::refused);
        EVENTS.put("unreadable", QueueTraffic::unreadable);
        EVENTS.put("foreign", QueueTraffic::foreign);
    }

    private final Map<Counter, ToLongFunction<QueueTraffic>> counters = new LinkedHashMap<>();
    private volatile boolean blocked;

    QueueMeters(Meters meters) {
        EVENTS.forEach((event, number) -> counters.put(
                meters.counter("feedkit.queue.messages", "Messages of the fan-out queue", "event", event), number));
        meters.state("feedkit.queue.blocked", "Whether the fan-out queue cannot be used", () -> blocked ? 1 : 0);
    }

    void add(QueueTraffic traffic) {
        blocked = traffic.blocked();
        counters.forEach((counter, number) -> counter.increment((double) number.applyAsLong(traffic)));
    }
}

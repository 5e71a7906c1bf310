package io.feedkit.bench.live;

import io.feedkit.bench.ChildJvm;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import java.util.List;
import java.util.Map;

/** The heap that connected readers take, in a JVM of 2 GB. */
final class ConnectedMemory implements Measurement {

    private static final int HEAP_MEGABYTES = 2048;
    private static final int PART_CONNECTED = 100;
    private static final int PART_BUSY = 10_000;
    private static final int FEWEST = 200;

    /** More than a subscription remembers. */
    private static final int MANY_EVENTS = 1100;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int connected = scale.followers() / PART_CONNECTED;
        int busy = Math.max(FEWEST, scale.followers() / PART_BUSY);
        Map<String, Medians> quiet = child(connected, 1);
        Map<String, Medians> after = child(busy, MANY_EVENTS);
        return List.of(
                figure(quiet, ConnectedMemoryChild.BYTES, connected, 1, "lists in maps", "bytes", Target.NONE),
                figure(
                        quiet,
                        ConnectedMemoryChild.LIVE,
                        connected,
                        1,
                        "before they connect",
                        "MB",
                        new Target.AtMost(HEAP_MEGABYTES)),
                figure(quiet, ConnectedMemoryChild.RATE, connected, 1, "lists in maps", "readers/s", Target.NONE),
                figure(after, ConnectedMemoryChild.BYTES, busy, MANY_EVENTS, "lists in maps", "bytes", Target.NONE));
    }

    private static Map<String, Medians> child(int readers, int events) {
        return new ChildJvm(List.of("-Xmx" + HEAP_MEGABYTES + "m"))
                .run(ConnectedMemoryChild.class, List.of(Integer.toString(readers), Integer.toString(events)));
    }

    private Figure figure(
            Map<String, Medians> measured,
            String key,
            int readers,
            int events,
            String against,
            String unit,
            Target target) {
        Medians medians = measured.get(key);
        if (medians == null) {
            throw new IllegalStateException(key + " was not measured");
        }
        String what = String.format(
                "%s: %s, %,d readers, %,d %s each (against %s)",
                name(), key, readers, events, events == 1 ? "event" : "events", against);
        return Figure.of(what, unit, medians, target);
    }
}

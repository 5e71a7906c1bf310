package io.feedkit.bench.core;

import static java.util.Objects.requireNonNull;

import io.feedkit.Cursor;
import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.Timing;
import io.feedkit.spi.Position;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Supplier;

/** Pages of 20 from a full inbox in memory, all cached, on one thread. */
final class ReadCost implements Measurement {

    private static final String UNIT = "ns of CPU";
    private static final int PULLED = 50;
    private static final int MANY_FOLLOWEES = 1949;
    private static final String READER = "reader";

    @Override
    public String name() {
        return "read";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        try (ReaderFeed plain = new ReaderFeed(0);
                ReaderFeed mixed = new ReaderFeed(PULLED);
                ReaderFeed many = new ReaderFeed(1, MANY_FOLLOWEES)) {
            Supplier<List<Post>> bare = bareRead(plain.pushed());
            Cursor deep = plain.deepCursor();
            return List.of(
                    figure(scale, "newest 20 (against a bare skip list in a map)", plain::first, bare),
                    figure(scale, "newest 20 hydrated (against not hydrated)", plain::hydrated, plain::first),
                    figure(scale, "20 at depth 500 (against newest 20)", () -> plain.older(deep), plain::first),
                    figure(scale, "newest 20 with 50 pulled authors (against none)", mixed::first, plain::first),
                    figure(
                            scale,
                            "newest 20 with 2,000 followees, one of them pulled (against 50, none pulled)",
                            many::first,
                            plain::first));
        }
    }

    private static Supplier<List<Post>> bareRead(List<Post> posts) {
        ConcurrentSkipListSet<Post> inbox = new ConcurrentSkipListSet<>((a, b) -> Position.compare(b, a));
        inbox.addAll(posts);
        Map<String, ConcurrentSkipListSet<Post>> inboxes = new ConcurrentHashMap<>(Map.of(READER, inbox));
        return () -> requireNonNull(inboxes.get(READER)).stream()
                .limit(ReaderFeed.PAGE)
                .toList();
    }

    private Figure figure(Scale scale, String what, Supplier<?> value, Supplier<?> baseline) {
        Timing timing = Timing.of(scale);
        Medians medians = Rounds.of(scale).medians(() -> timing.nanos(value), () -> timing.nanos(baseline));
        return Figure.of(name() + ": " + what, UNIT, medians, Target.NONE);
    }
}

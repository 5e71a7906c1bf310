package io.feedkit.bench.copies;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.spi.InboxCopies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/** How fast one thread writes copies, one after the other, against rows of a table by hand. */
final class CopyingDown implements Measurement {

    private static final List<Integer> DEPTHS = List.of(200, 1000);
    private static final double LEAST_RATIO = 3;

    @Override
    public String name() {
        return "copying down";
    }

    @Override
    public Optional<String> lacks() {
        return CopyServer.lacks();
    }

    @Override
    public List<Figure> measure(Scale scale) {
        List<Figure> figures = new ArrayList<>();
        try (CopyServer server = CopyServer.start()) {
            InboxCopies copies = server.copies("down");
            HandEntries hand = HandEntries.create(server);
            for (int depth : DEPTHS) {
                MadeCopy copy = MadeCopy.of(depth);
                Entries value = new Entries(depth, scale.window(), reader -> copy.write(copies, "r" + reader, reader));
                Entries baseline =
                        new Entries(depth, scale.window(), reader -> hand.write(depth + "-" + reader, copy.posts()));
                figures.add(Figure.of(
                        name() + ": copies of " + depth + " posts (against a row for each post, 128 in flight)",
                        "entries/s",
                        Rounds.of(scale).medians(value::perSecond, baseline::perSecond),
                        new Target.RatioAtLeast(LEAST_RATIO)));
                figures.add(new Figure(
                        name() + ": copies of " + depth + " posts, bytes of a post (against its author, id and time)",
                        "bytes",
                        (double) copy.bytes() / depth,
                        (double) copy.plainBytes() / depth,
                        Target.NONE));
            }
        }
        return figures;
    }

    /** Writes for readers who had nothing. Used by one thread. */
    private static final class Entries {

        private final int depth;
        private final Duration window;
        private final IntConsumer write;
        private int readers;

        Entries(int depth, Duration window, IntConsumer write) {
            this.depth = depth;
            this.window = window;
            this.write = write;
        }

        double perSecond() {
            long start = System.nanoTime();
            int first = readers;
            do {
                write.accept(readers++);
            } while (System.nanoTime() - start < window.toNanos());
            return (double) depth * (readers - first) * 1e9 / (System.nanoTime() - start);
        }
    }
}

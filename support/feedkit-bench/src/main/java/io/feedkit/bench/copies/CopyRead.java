package io.feedkit.bench.copies;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.spi.InboxCopies;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How long the head and the parts of a large copy take, against the rows of a table by hand. The parts are not
 * unpacked.
 */
final class CopyRead implements Measurement {

    private static final int DEPTH = 1000;
    private static final int READERS = 50;
    private static final double MEDIAN = 50;
    private static final double HIGH = 99;

    @Override
    public String name() {
        return "copy read";
    }

    @Override
    public Optional<String> lacks() {
        return CopyServer.lacks();
    }

    @Override
    public List<Figure> measure(Scale scale) {
        try (CopyServer server = CopyServer.start()) {
            InboxCopies copies = server.copies("read");
            HandEntries hand = HandEntries.create(server);
            MadeCopy copy = MadeCopy.of(DEPTH);
            for (int i = 0; i < READERS; i++) {
                copy.write(copies, reader(i), i);
                hand.write(reader(i), copy.posts());
            }
            Duration window = scale.window().multipliedBy(2L * scale.rounds());
            ReadTimes times = ReadTimes.of(
                    window,
                    i -> require(
                            MadeCopy.read(copies, reader(i)).size(),
                            copy.parts().size()),
                    i -> require(hand.read(reader(i), DEPTH).size(), DEPTH));
            return List.of(figure("p50", times, MEDIAN), figure("p99", times, HIGH));
        }
    }

    private static String reader(int number) {
        return "reader" + number % READERS;
    }

    private static void require(int found, int expected) {
        if (found != expected) {
            throw new IllegalStateException("a read must return " + expected + " rows, but returned " + found);
        }
    }

    private Figure figure(String what, ReadTimes times, double percentile) {
        return new Figure(
                name() + ": head and parts of " + DEPTH + " posts, " + what + " (against " + DEPTH + " rows by hand)",
                "ms",
                times.value(percentile),
                times.baseline(percentile),
                Target.NONE);
    }
}

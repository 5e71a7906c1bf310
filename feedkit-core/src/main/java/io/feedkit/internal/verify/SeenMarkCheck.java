package io.feedkit.internal.verify;

import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.Position;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenMarks.Seen;
import io.feedkit.spi.SeenPosts;
import io.feedkit.verify.Finding;
import io.feedkit.verify.FindingKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Compares readers' seen marks with the present. Thread-safe. */
final class SeenMarkCheck implements Check<String> {

    private final EngineSettings settings;
    private final SeenMarks marks;

    SeenMarkCheck(EngineSettings settings, SeenMarks marks) {
        this.settings = settings;
        this.marks = marks;
    }

    /** The readers whose marks are to be looked at one by one. */
    List<String> ahead(List<String> readers) {
        List<SeenPosts> seen = marks.lastSeen(readers);
        List<String> ahead = new ArrayList<>();
        for (int i = 0; i < readers.size(); i++) {
            if (isAhead(seen.get(i))) {
                ahead.add(readers.get(i));
            }
        }
        return ahead;
    }

    private boolean isAhead(SeenPosts seen) {
        return seen.upTo().millis()
                > settings.now() + settings.publishing().maxFutureSkew().toMillis();
    }

    @Override
    public Look look(String reader, Look before) {
        SeenPosts seen = marks.lastSeen(List.of(reader)).get(0);
        return isAhead(seen)
                ? Look.of(List.of(Finding.builder(FindingKind.SEEN_MARK_AHEAD)
                        .reader(reader)
                        .sentence("Reader " + reader + " has seen posts up to " + time(seen)
                                + ", which is in the future.")
                        .build()))
                : Look.NONE;
    }

    private static String time(SeenPosts seen) {
        long millis = seen.upTo().millis();
        return millis < Position.UNKNOWN_TIME ? Instant.ofEpochMilli(millis).toString() : "the end of time";
    }

    /** A mark that is set at the same time by a client lies in the present, so it may be replaced by the present. */
    @Override
    public void repair(String reader, List<Finding> findings) {
        Position now = new Position(settings.now() + 1, "", "");
        marks.reset(List.of(new Seen(reader, SeenPosts.upTo(now))));
    }
}

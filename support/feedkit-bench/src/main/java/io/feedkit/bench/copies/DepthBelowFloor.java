package io.feedkit.bench.copies;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Whether pages below the floor of an inbox would be cheaper from a copy: a page of older posts from the outboxes, as
 * engines read it, against the head and the parts of a copy, and the question which of the page's posts exist. The
 * copy is not unpacked, which would take longer.
 */
final class DepthBelowFloor implements Measurement {

    private static final int READERS = 100;
    private static final int FOLLOWEES = 100;
    private static final int MOST_AUTHORS = 5000;
    private static final int LEAST_AUTHORS = 400;
    private static final int AUTHORS_PART = 2000;
    private static final int DAYS = 30;
    private static final int DEPTH = 1000;
    private static final int FLOOR = FeedEngineBuilder.DEFAULT_COPY_DEPTH;
    private static final int PAGE = 20;
    private static final double MEDIAN = 50;

    @Override
    public String name() {
        return "depth below the floor";
    }

    @Override
    public Optional<String> lacks() {
        return CopyServer.lacks();
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int authors = Math.max(LEAST_AUTHORS, Math.min(MOST_AUTHORS, scale.followers() / AUTHORS_PART));
        Crowd crowd = new Crowd(READERS, authors, FOLLOWEES);
        try (CrowdStores stores = new CrowdStores();
                CopyServer server = CopyServer.start()) {
            crowd.follow(stores.database());
            crowd.postBefore(stores.database(), System.currentTimeMillis(), DAYS);
            InboxCopies copies = server.copies("below");
            MadeCopy copy = MadeCopy.of(DEPTH);
            List<Below> pages = IntStream.range(0, READERS)
                    .mapToObj(reader -> {
                        copy.write(copies, crowd.reader(reader), reader);
                        return Below.of(stores.outbox(), crowd.reader(reader), crowd.followeesOf(reader));
                    })
                    .toList();
            Duration window = scale.window().multipliedBy(2L * scale.rounds());
            ReadTimes times = ReadTimes.of(
                    window,
                    i -> pages.get(i % READERS).fromOutboxes(stores.outbox()),
                    i -> pages.get(i % READERS).fromCopy(stores.outbox(), copies));
            return List.of(new Figure(
                    name() + ": " + PAGE + " older posts of " + FOLLOWEES + " authors from the outboxes, p50 (against a"
                            + " copy of " + DEPTH + " and a check of " + PAGE + " posts)",
                    "ms",
                    times.value(MEDIAN),
                    times.baseline(MEDIAN),
                    Target.NONE));
        }
    }

    /** A page below the newest posts of a reader. */
    private record Below(String reader, PageQuery query, List<PostKey> keys) {

        static Below of(Outbox outbox, String reader, Set<String> authors) {
            List<Post> newest = outbox.page(new PageQuery(authors, PositionRange.ALL, Order.NEWEST_FIRST, FLOOR));
            PositionRange range = PositionRange.below(Position.of(newest.get(newest.size() - 1)));
            PageQuery query = new PageQuery(authors, range, Order.NEWEST_FIRST, PAGE);
            return new Below(
                    reader, query, outbox.page(query).stream().map(Post::key).toList());
        }

        void fromOutboxes(Outbox outbox) {
            require(outbox.page(query).size());
        }

        void fromCopy(Outbox outbox, InboxCopies copies) {
            if (MadeCopy.read(copies, reader).isEmpty()) {
                throw new IllegalStateException("the copy of " + reader + " must have parts");
            }
            require(outbox.existing(keys).size());
        }

        private static void require(int found) {
            if (found != PAGE) {
                throw new IllegalStateException("a page must have " + PAGE + " posts, but has " + found);
            }
        }
    }
}

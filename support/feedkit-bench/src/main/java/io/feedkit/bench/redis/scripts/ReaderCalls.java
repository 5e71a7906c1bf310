package io.feedkit.bench.redis.scripts;

import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenMarks.Seen;
import io.feedkit.spi.SeenPosts;
import java.util.List;
import java.util.stream.IntStream;

/** Calls about readers, whose time does not depend on the size of the inbox. */
final class ReaderCalls {

    private static final int READERS = 100;
    private static final int UNFINISHED_FOLLOWS = 1000;
    private static final long LEASE_MILLIS = 60_000;
    private static final String READER = "reader";

    private final SlowLog log;
    private final Inbox inbox;
    private final SeenMarks seenMarks;

    ReaderCalls(SlowLog log, RedisFeedStore store) {
        this.log = log;
        inbox = store.inbox(FullInboxes.LIMITS);
        seenMarks = store.seenMarks();
    }

    void make(int times) {
        SliceQuery page = new SliceQuery(READER, PositionRange.ALL, Order.NEWEST_FIRST, 1, true);
        for (int n = 0; n < times; n++) {
            long generation = log.of("an inbox opened", () -> inbox.open(READER, LEASE_MILLIS, true))
                    .generation();
            log.of("an inbox completed", () -> inbox.complete(READER, generation, 1, 0));
            long mark = n;
            List<Seen> seen = IntStream.range(0, READERS)
                    .mapToObj(i -> new Seen(MadeUpGraph.user(i), SeenPosts.upTo(new Position(mark, "post", "author"))))
                    .toList();
            log.of("a mark of what was seen set", () -> seenMarks.markSeen(seen));
        }
        for (int i = 0; i < UNFINISHED_FOLLOWS; i++) {
            inbox.beginFollow(READER, List.of(MadeUpGraph.user(i)));
        }
        for (int n = 0; n < times; n++) {
            log.of("a slice beside 1000 unfinished follows", () -> inbox.slice(List.of(page)));
            String author = MadeUpGraph.user(n % UNFINISHED_FOLLOWS);
            long token = log.of("a follow begun beside 1000", () -> inbox.beginFollow(READER, List.of(author)));
            log.of("a follow ended beside 1000", () -> inbox.endFollow(READER, List.of(author), token, 0));
            inbox.beginFollow(READER, List.of(author));
        }
    }
}

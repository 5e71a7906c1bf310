package io.feedkit.internal.read;

import io.feedkit.FeedPage.Caveat;
import io.feedkit.PostKey;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A walk over a feed and over the outboxes of further authors. A post that both have is shown once. */
final class MergedScan implements Scan {

    /** A walk, with its posts that were not returned yet. A further chunk is read when all of them were returned. */
    private static final class Part {
        private final Scan scan;
        private final Deque<FeedEntry> entries = new ArrayDeque<>();

        Part(Scan scan) {
            this.scan = scan;
        }

        /** Reads chunks until there is a post, and returns how many posts were scanned. */
        int fill(int limit) {
            int candidates = 0;
            while (entries.isEmpty() && !scan.atEnd() && !scan.isCutOff()) {
                Chunk chunk = scan.next(limit);
                entries.addAll(chunk.entries());
                candidates += chunk.candidates();
            }
            return candidates;
        }

        boolean isDone() {
            return entries.isEmpty() && scan.atEnd();
        }
    }

    private final Part feed;
    private final Part others;
    private final Order order;
    private final Set<PostKey> shown = new HashSet<>();

    MergedScan(Scan feed, Scan others, Order order) {
        this.feed = new Part(feed);
        this.others = new Part(others);
        this.order = order;
    }

    @Override
    public Chunk next(int limit) {
        List<FeedEntry> entries = new ArrayList<>();
        Optional<Position> last = Optional.empty();
        int candidates = 0;
        while (entries.size() < limit && !atEnd() && !isCutOff()) {
            candidates += feed.fill(limit) + others.fill(limit);
            Optional<FeedEntry> next = isCutOff() ? Optional.empty() : poll();
            if (next.isPresent()) {
                last = next.map(entry -> Position.of(entry.post()));
                next.filter(entry -> shown.add(entry.post().key())).ifPresent(entries::add);
            }
        }
        return new Chunk(entries, last, candidates);
    }

    /** Takes the next post of both walks. If both have the same post, the entry of the feed comes first. */
    private Optional<FeedEntry> poll() {
        FeedEntry ofFeed = feed.entries.peek();
        FeedEntry other = others.entries.peek();
        if (ofFeed == null || other == null) {
            return Optional.ofNullable(ofFeed == null ? others.entries.poll() : feed.entries.poll());
        }
        int byPlace = Position.compare(ofFeed.post(), other.post());
        boolean isFeedNext = order == Order.NEWEST_FIRST ? byPlace >= 0 : byPlace <= 0;
        return Optional.ofNullable(isFeedNext ? feed.entries.poll() : others.entries.poll());
    }

    @Override
    public boolean atEnd() {
        return feed.isDone() && others.isDone();
    }

    @Override
    public boolean isCutOff() {
        return feed.entries.isEmpty() && feed.scan.isCutOff();
    }

    @Override
    public boolean isBeyondInbox() {
        return feed.scan.isBeyondInbox();
    }

    @Override
    public Position endWithMillisecondOf(Position reached) {
        Position end = feed.scan.endWithMillisecondOf(reached);
        others.scan.endWithMillisecondOf(reached);
        for (Part part : List.of(feed, others)) {
            part.entries.removeIf(entry ->
                    order == Order.NEWEST_FIRST ? end.compareOf(entry.post()) < 0 : end.compareOf(entry.post()) >= 0);
        }
        return end;
    }

    @Override
    public Set<Caveat> caveats() {
        return feed.scan.caveats();
    }

    @Override
    public int outboxCalls() {
        return feed.scan.outboxCalls() + others.scan.outboxCalls();
    }

    @Override
    public void close() {
        feed.scan.close();
        others.scan.close();
    }
}

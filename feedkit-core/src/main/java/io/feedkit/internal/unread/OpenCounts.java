package io.feedkit.internal.unread;

import io.feedkit.Post;
import io.feedkit.internal.cache.RecentPostsCache.RecentPosts;
import io.feedkit.internal.cache.RegisterView;
import io.feedkit.internal.view.FeedView;
import io.feedkit.internal.view.SourceOfTruth;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Outbox.Counted;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.SeenPosts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Feeds whose inboxes were counted, and the counts to add: unpushed posts, and all posts below the floor. Posts that
 * the engine does not cache are counted in the outboxes, for all feeds together. Used by one thread.
 */
final class OpenCounts {

    /** How many authors are counted in one call to the outboxes; a single feed may have more. */
    private static final int AUTHORS_AT_ONCE = 10_000;

    /** A feed, with its inbox, and what its reader has seen. */
    record Feed(String reader, FeedView view, SeenPosts seen) {

        /** The lowest position that can be unread. */
        private Position from() {
            return seen.rest().from();
        }

        /** The part of the feed that can be unread, and that the inbox covers. */
        private PositionRange hot() {
            return PositionRange.from(Position.max(from(), view.inbox().floor()));
        }
    }

    private final SourceOfTruth source;
    private final int limit;
    private final List<Open> feeds = new ArrayList<>();
    private final UnpushedPosts unpushed;

    OpenCounts(SourceOfTruth source, int limit) {
        this.source = source;
        this.limit = limit;
        unpushed = new UnpushedPosts(source);
    }

    /**
     * Adds the count of a feed's inbox.
     *
     * @param own whether the entries may include own posts
     * @param ranges the ranges of unpushed posts to add
     */
    void add(Feed feed, long above, boolean own, RegisterView.Ranges ranges) {
        Open open = new Open(feed, above, own);
        if (!open.hot.isEmpty()) {
            ranges.byAuthor().forEach(open::add);
        }
        feeds.add(open);
    }

    /**
     * Reports each feed's count; counts of {@code limit} or more may be inexact. Returns the feeds whose entries
     * include own posts, or of which too many posts lie among the seen ones; their counts are not reported.
     */
    List<Feed> finish(BiConsumer<String, Long> answer) {
        Map<String, RegisterView> missing = new HashMap<>();
        for (Open open : feeds) {
            open.missing
                    .keySet()
                    .forEach(author -> missing.put(author, open.feed.view().register()));
        }
        unpushed.fetch(missing);
        List<Feed> left = new ArrayList<>();
        List<Open> asked = new ArrayList<>();
        long weight = 0;
        for (Open open : feeds) {
            open.complete();
            if (weight + open.weight > AUTHORS_AT_ONCE) {
                ask(asked, left, answer);
                asked.clear();
                weight = 0;
            }
            asked.add(open);
            weight += open.weight;
        }
        ask(asked, left, answer);
        return left;
    }

    private void ask(List<Open> asked, List<Feed> left, BiConsumer<String, Long> answer) {
        List<CountQuery> queries = new ArrayList<>();
        asked.forEach(each -> queries.addAll(each.queries));
        List<Counted> counts = source.count(queries);
        int place = 0;
        for (Open each : asked) {
            int end = place + each.queries.size();
            OptionalLong all = each.all(counts.subList(place, end));
            if (all.isPresent()) {
                answer.accept(each.feed.reader(), all.getAsLong());
            } else {
                left.add(each.feed);
            }
            place = end;
        }
    }

    /** The known count of a feed, and the queries to the outboxes for it. The query for own posts is first. */
    private final class Open {

        private final Feed feed;
        private final PositionRange hot;
        private final List<CountQuery> queries = new ArrayList<>();
        private final boolean asksForOwn;

        /** The ranges of authors whose posts are not cached. */
        private final Map<String, PositionRange> missing = new HashMap<>();

        private long held;
        private int weight;

        Open(Feed feed, long above, boolean own) {
            this.feed = feed;
            hot = feed.hot();
            held = above;
            asksForOwn = own;
            if (own) {
                PositionRange counted = PositionRange.from(
                        Position.max(hot.from(), feed.seen().highest().next()));
                queries.add(new CountQuery(Set.of(feed.reader()), counted, 1));
                weight++;
            }
        }

        /** Counts an author's unpushed posts in a range, if they are cached. */
        void add(String author, PositionRange range) {
            PositionRange both =
                    range.from().compareTo(hot.from()) < 0 ? new PositionRange(hot.from(), range.below()) : range;
            if (author.equals(feed.reader()) || both.isEmpty()) {
                return;
            }
            Optional<RecentPosts> recent = unpushed.of(author, feed.view().register());
            if (recent.isEmpty()) {
                missing.put(author, both);
            } else {
                count(author, both, recent.get());
            }
        }

        private void count(String author, PositionRange range, RecentPosts recent) {
            OptionalLong count = UnpushedPosts.count(recent, feed.view().register(), range, feed.seen());
            if (count.isPresent()) {
                held += count.getAsLong();
            } else {
                ask(Set.of(author), range);
            }
        }

        /** Counts what was missing, and asks for the posts below the inbox. */
        void complete() {
            missing.forEach((author, range) -> unpushed.of(author, feed.view().register())
                    .ifPresentOrElse(recent -> count(author, range, recent), () -> ask(Set.of(author), range)));
            PositionRange cold =
                    new PositionRange(feed.from(), feed.view().inbox().floor());
            if (!cold.isEmpty() && held < limit) {
                Set<String> others = new HashSet<>(feed.view().authors());
                others.remove(feed.reader());
                ask(others, cold);
            }
        }

        private void ask(Set<String> authors, PositionRange range) {
            if (!authors.isEmpty() && !range.isEmpty() && held < limit) {
                SeenPosts seen = feed.seen();
                queries.add(new CountQuery(authors, range, seen.highest(), limit + seen.size()));
                weight += authors.size();
            }
        }

        /** The count of the feed, with the answers to its queries, unless it has to be read. */
        OptionalLong all(List<Counted> answers) {
            long all = held;
            boolean areWhole = true;
            for (int i = 0; i < answers.size(); i++) {
                Counted answer = answers.get(i);
                if (i == 0 && asksForOwn) {
                    if (answer.above() > 0) {
                        return OptionalLong.empty();
                    }
                } else {
                    all += answer.above();
                    for (Post post : answer.posts()) {
                        all += feed.seen().contains(post) ? 0 : 1;
                    }
                    areWhole &= answer.posts().size() < queries.get(i).limit();
                }
            }
            return areWhole || all >= limit ? OptionalLong.of(all) : OptionalLong.empty();
        }
    }
}

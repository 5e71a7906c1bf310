package io.feedkit.internal.unread;

import io.feedkit.Post;
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

    /**
     * A count, and the ranges of unpushed posts to add. {@code own} is true if the entries may include own posts.
     */
    private record Open(Feed feed, long above, boolean own, Map<String, PositionRange> unpushed) {}

    private final SourceOfTruth source;
    private final int limit;
    private final List<Open> feeds = new ArrayList<>();

    OpenCounts(SourceOfTruth source, int limit) {
        this.source = source;
        this.limit = limit;
    }

    /** Adds the count of a feed's inbox. */
    void add(Feed feed, long above, boolean own, UnpushedPosts.Ranges unpushed) {
        Map<String, PositionRange> toAdd = feed.hot().isEmpty() ? Map.of() : unpushed.byAuthor();
        feeds.add(new Open(feed, above, own, toAdd));
    }

    /**
     * Reports each feed's count; counts of {@code limit} or more may be inexact. Returns the feeds whose entries
     * include own posts, or of which too many posts lie among the seen ones; their counts are not reported.
     */
    List<Feed> finish(UnpushedPosts unpushed, BiConsumer<String, Long> answer) {
        Map<String, RegisterView> registers = new HashMap<>();
        feeds.forEach(open -> open.unpushed()
                .keySet()
                .forEach(author -> registers.put(author, open.feed().view().register())));
        unpushed.fetch(registers);
        List<Feed> left = new ArrayList<>();
        List<Asked> asked = new ArrayList<>();
        long weight = 0;
        for (Open open : feeds) {
            Asked questions = new Asked(open, unpushed);
            if (weight + questions.weight > AUTHORS_AT_ONCE) {
                ask(asked, left, answer);
                asked.clear();
                weight = 0;
            }
            asked.add(questions);
            weight += questions.weight;
        }
        ask(asked, left, answer);
        return left;
    }

    private void ask(List<Asked> asked, List<Feed> left, BiConsumer<String, Long> answer) {
        List<CountQuery> queries = new ArrayList<>();
        asked.forEach(each -> queries.addAll(each.queries));
        List<Counted> counts = source.count(queries);
        int place = 0;
        for (Asked each : asked) {
            int end = place + each.queries.size();
            OptionalLong all = each.all(counts.subList(place, end));
            if (all.isPresent()) {
                answer.accept(each.open.feed().reader(), all.getAsLong());
            } else {
                left.add(each.open.feed());
            }
            place = end;
        }
    }

    /** The known count of a feed, and the queries to the outboxes for it. The query for own posts is first. */
    private final class Asked {

        private final Open open;
        private final List<CountQuery> queries = new ArrayList<>();
        private final boolean asksForOwn;
        private long held;
        private int weight;

        Asked(Open open, UnpushedPosts unpushed) {
            this.open = open;
            held = open.above();
            Feed feed = open.feed();
            asksForOwn = open.own();
            if (asksForOwn) {
                PositionRange counted = PositionRange.from(
                        Position.max(feed.hot().from(), feed.seen().highest().next()));
                queries.add(new CountQuery(Set.of(feed.reader()), counted, 1));
                weight++;
            }
            open.unpushed().forEach((author, range) -> add(author, range, unpushed));
            PositionRange cold =
                    new PositionRange(feed.from(), feed.view().inbox().floor());
            if (!cold.isEmpty() && held < limit) {
                Set<String> others = new HashSet<>(feed.view().authors());
                others.remove(feed.reader());
                ask(others, cold);
            }
        }

        private void add(String author, PositionRange range, UnpushedPosts unpushed) {
            PositionRange hot = open.feed().hot();
            PositionRange both =
                    new PositionRange(Position.max(range.from(), hot.from()), Position.min(range.below(), hot.below()));
            if (!author.equals(open.feed().reader()) && !both.isEmpty()) {
                OptionalLong count = unpushed.count(
                        open.feed().view().register(), author, both, open.feed().seen());
                if (count.isPresent()) {
                    held += count.getAsLong();
                } else {
                    ask(Set.of(author), both);
                }
            }
        }

        private void ask(Set<String> authors, PositionRange range) {
            if (!authors.isEmpty() && !range.isEmpty() && held < limit) {
                SeenPosts seen = open.feed().seen();
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
                        all += open.feed().seen().contains(post) ? 0 : 1;
                    }
                    areWhole &= answer.posts().size() < queries.get(i).limit();
                }
            }
            return areWhole || all >= limit ? OptionalLong.of(all) : OptionalLong.empty();
        }
    }
}

package io.feedkit.internal.unread;

import static java.util.Objects.requireNonNull;

import io.feedkit.Post;
import io.feedkit.Unread;
import io.feedkit.internal.cache.RegisterView.Ranges;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.inbox.InboxBreaker.Permit;
import io.feedkit.internal.read.FeedReader;
import io.feedkit.internal.view.FeedView;
import io.feedkit.internal.view.FeedViews;
import io.feedkit.internal.view.FeedViews.Answer;
import io.feedkit.internal.view.FeedViews.Answers;
import io.feedkit.internal.view.FeedViews.Expected;
import io.feedkit.internal.view.InboxPart.Live;
import io.feedkit.internal.view.SourceOfTruth;
import io.feedkit.spi.Inbox.Count;
import io.feedkit.spi.Inbox.CountQuery;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.SeenPosts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One count of some feeds.
 *
 * <p>Posts at or above the floor of a live inbox are counted in the inbox, except for unpushed posts of pulled authors.
 * These are counted apart ({@link UnpushedPosts}), whether the inbox holds them or not. So a post that is pushed at
 * that moment is counted exactly once. Posts below the floor are counted in the outboxes, and so is the whole feed of a
 * reader without a live inbox.
 *
 * <p>A count of an inbox names no authors. So the entries themselves are read, for many readers at once, if a page
 * might hide some of them: posts that are being retracted, own posts, and posts of authors who are no longer followed
 * (unless the feed is read from all followees and the inbox is among the {@link KnownInboxes}). A feed is read on its
 * own if a page would need other sources too: the host has a filter, or a follow is unfinished. Used by one thread.
 */
final class UnreadRound {

    /** The most authors that an inbox is asked to count apart; with more authors, its entries are read. */
    static final int MOST_APART = 1000;

    /** How many inboxes are read together. */
    private static final int SLICES_AT_ONCE = 20;

    private final EngineSettings settings;
    private final FeedViews views;
    private final SourceOfTruth source;
    private final KnownInboxes inboxes;
    private final FeedReader feeds;

    /** The marks of the readers whose feeds this round counts. */
    private final Map<String, SeenPosts> marks;

    /** The marks as they were read. */
    private Map<String, SeenPosts> read;

    private final int cap;
    private final int limit;
    private final Map<String, Unread> answers = new HashMap<>();

    /** The ranges that were last counted apart in each inbox. */
    private final Map<String, Map<String, PositionRange>> asked = new HashMap<>();

    private boolean inboxesAreDown;

    /** Inboxes whose entries must be read, as the inboxes were when they were counted. */
    private final Map<String, Slice> toRead = new HashMap<>();

    UnreadRound(
            EngineSettings settings,
            FeedViews views,
            SourceOfTruth source,
            KnownInboxes inboxes,
            FeedReader feeds,
            Map<String, SeenPosts> marks) {
        this.settings = settings;
        this.views = views;
        this.source = source;
        this.inboxes = inboxes;
        this.feeds = feeds;
        this.marks = new HashMap<>(marks);
        read = this.marks;
        cap = settings.reading().unreadCap();
        limit = cap + 1;
    }

    /** Counts with marks that are certain. */
    Map<String, Unread> count() {
        return count(Optional.empty());
    }

    /**
     * Counts with marks that are assumed, and are read while the first inboxes are asked. A feed whose mark turns out
     * to be another one is not counted.
     *
     * @param reading reads the marks
     */
    Map<String, Unread> count(Supplier<Map<String, SeenPosts>> reading) {
        return count(Optional.of(() -> read = reading.get()));
    }

    private Map<String, Unread> count(Optional<Runnable> reading) {
        if (settings.reading().filter() == EngineSettings.SHOW_ALL) {
            countInInboxes(reading);
        }
        marks.keySet().removeAll(answers.keySet());
        if (!marks.isEmpty()) {
            countByReading();
        }
        return answers;
    }

    private void countByReading() {
        try (Permit permit = inboxesAreDown ? views.permit() : null) {
            marks.forEach((reader, seen) -> answers.put(reader, feeds.count(reader, seen, cap, permit != null)));
        }
    }

    private <A> List<Answer<A>> all(Answers<A> found) {
        inboxesAreDown |= found.isDown();
        return found.all();
    }

    private void countInInboxes(Optional<Runnable> reading) {
        List<String> again = countEntries(List.copyOf(marks.keySet()), reading);
        if (!again.isEmpty() && !inboxesAreDown) {
            List<String> unused = countEntries(again, Optional.empty());
        }
        List<String> some = List.copyOf(toRead.keySet());
        for (int i = 0; i < some.size() && !inboxesAreDown; i += SLICES_AT_ONCE) {
            readEntries(some.subList(i, Math.min(some.size(), i + SLICES_AT_ONCE)));
        }
    }

    private SeenPosts seen(String reader) {
        return requireNonNull(marks.get(reader));
    }

    /** The lowest position that can be unread. */
    private Position from(String reader) {
        return seen(reader).rest().from();
    }

    /** The most entries of an inbox to read: even without the seen ones among them, there may be more than the cap. */
    private int limit(String reader) {
        return limit + seen(reader).size();
    }

    /**
     * Counts without reading entries. Returns the readers whose inboxes were not counted apart from the posts of the
     * right authors, who are known now.
     */
    private List<String> countEntries(List<String> readers, Optional<Runnable> reading) {
        OpenCounts open = new OpenCounts(source, limit);
        List<String> again = new ArrayList<>();
        List<Answer<Count>> counts = all(views.count(readers, this::countQuery, reading));
        marks.entrySet().retainAll(read.entrySet());
        for (Answer<Count> each : counts) {
            String reader = each.reader();
            if (!marks.containsKey(reader)) {
                continue;
            }
            FeedView view = each.view();
            Count count = each.answer();
            Ranges ranges = ranges(reader, view);
            if (!isWhole(view, ranges)) {
                continue;
            }
            boolean isCertain = !view.isLive() || isCertain(reader, view, count, ranges);
            boolean isCounted = !view.isLive() || areApart(reader, count, ranges);
            if (!isCertain || !isCounted) {
                toRead.put(reader, count.inbox());
                if (!isCounted) {
                    again.add(reader);
                }
            } else {
                toRead.remove(reader);
                // The inbox of a view that is not live may have entries: they are counted in the outboxes.
                int above = view.isLive() ? count.above() : 0;
                boolean own = above > 0 && settings.followees().ownPosts();
                int shown = shown(reader, view.inbox().posts(), view, ranges);
                open.add(feed(reader, view), above + shown, own, ranges);
            }
        }
        for (OpenCounts.Feed feed : finish(open)) {
            if (feed.view().inbox() instanceof Live live) {
                toRead.put(feed.reader(), live.slice());
            }
        }
        return again;
    }

    private CountQuery countQuery(Expected expected) {
        String reader = expected.reader();
        Map<String, PositionRange> apart = inboxes.isEmptyAbove(reader, seen(reader))
                ? Map.of()
                : asked(expected.register().unpushed(expected.followees().authors(), from(reader)));
        asked.put(reader, apart);
        return new CountQuery(reader, from(reader), seen(reader).highest(), limit(reader), apart);
    }

    /** The ranges that inboxes are asked to count apart. */
    private static Map<String, PositionRange> asked(Ranges ranges) {
        return ranges.byAuthor().size() <= MOST_APART ? ranges.byAuthor() : Map.of();
    }

    /** Whether an inbox was counted apart from the posts in these ranges. */
    private boolean areApart(String reader, Count count, Ranges ranges) {
        Map<String, PositionRange> apart = requireNonNull(asked.get(reader));
        inboxes.wasCounted(reader, seen(reader), count.above() == 0);
        return apart.equals(asked(ranges)) || (apart.isEmpty() && count.above() == 0);
    }

    private Ranges ranges(String reader, FeedView view) {
        return view.register().unpushed(view.authors(), from(reader));
    }

    private OpenCounts.Feed feed(String reader, FeedView view) {
        return new OpenCounts.Feed(reader, view, seen(reader));
    }

    /** Whether a page would show nothing but entries and unpushed posts. */
    private static boolean isWhole(FeedView view, Ranges ranges) {
        return !view.isLive() || (view.inbox().pending().isEmpty() && ranges.areExact());
    }

    /** Whether a page would show all entries that were counted. */
    private boolean isCertain(String reader, FeedView view, Count count, Ranges ranges) {
        Position bottom =
                Position.max(seen(reader).highest().next(), view.inbox().floor());
        return count.inbox().posts().size() < limit(reader)
                && (count.above() == 0
                        || (ranges.byAuthor().size() <= MOST_APART
                                && view.followees().isWhole()
                                && !view.register().isRetractingAnyOf(view.authors())
                                && inboxes.isKnown(reader, count.inbox(), view.followees(), bottom)));
    }

    /** Counts by reading entries, and records the inboxes whose entries need not be read again. */
    private void readEntries(List<String> readers) {
        Set<String> settled = readers.stream()
                .filter(reader -> inboxes.isSettled(reader, requireNonNull(toRead.get(reader))))
                .collect(Collectors.toSet());
        OpenCounts open = new OpenCounts(source, limit);
        for (Answer<Slice> each : all(views.slices(readers, this::sliceQuery))) {
            String reader = each.reader();
            FeedView view = each.view();
            Ranges ranges = ranges(reader, view);
            boolean all = view.inbox().posts().size() < limit(reader);
            if (all && settled.contains(reader) && isSame(view, requireNonNull(toRead.get(reader)))) {
                wasRead(reader, each.answer(), view);
            }
            int above = shown(reader, view.inbox().posts(), view, ranges);
            if (isWhole(view, ranges) && (all || above >= limit)) {
                open.add(feed(reader, view), above, false, ranges);
            }
        }
        finish(open);
    }

    private SliceQuery sliceQuery(Expected expected) {
        String reader = expected.reader();
        return new SliceQuery(reader, PositionRange.from(from(reader)), Order.NEWEST_FIRST, limit(reader), false);
    }

    private void wasRead(String reader, Slice inbox, FeedView view) {
        if (inbox.posts().stream().allMatch(post -> view.authors().contains(post.author()))) {
            inboxes.wasRead(reader, inbox, view.followees(), Position.max(from(reader), inbox.floor()));
        }
    }

    private static boolean isSame(FeedView view, Slice before) {
        return view.inbox() instanceof Live live
                && live.pending().isEmpty()
                && live.slice().generation() == before.generation()
                && live.epoch() == before.epoch();
    }

    /**
     * How many unseen entries a page would show, without entries that are counted apart and the reader's own posts.
     */
    private int shown(String reader, List<Post> entries, FeedView view, Ranges ranges) {
        int shown = 0;
        for (Post post : entries) {
            String author = post.author();
            if (view.authors().contains(author)
                    && !author.equals(reader)
                    && !view.register().isRetracting(post)
                    && !ranges.contain(post)
                    && !seen(reader).contains(post)) {
                shown++;
            }
        }
        return shown;
    }

    /** Adds the counts from the caches and the outboxes. Returns the feeds that turn out to hold own posts. */
    private List<OpenCounts.Feed> finish(OpenCounts open) {
        return open.finish((reader, all) -> answers.put(reader, new Unread(Math.min(cap, all), all > cap)));
    }
}
